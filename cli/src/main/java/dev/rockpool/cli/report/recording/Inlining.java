package dev.rockpool.cli.report.recording;

import static dev.rockpool.cli.report.recording.Reading.printable;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedObject;
import jdk.jfr.consumer.RecordedThread;
import org.jspecify.annotations.Nullable;

/**
 * Calls that the compilers of one JVM did not inline: those that C2 refused at a limit, where the
 * program uses native memory.
 *
 * <p>C2 always tries to inline the first methods of a memory access, so it mostly refuses a call
 * inside the JDK, or the call of a program's method that accesses memory. Therefore a refused call
 * is of the program's method that C2 compiled, with all that was inlined into it. The first call
 * that a compilation looks at is in that method.
 */
public final class Inlining {
  /**
   * A call that C2 refused. Methods have their descriptors.
   *
   * @param method the program's method that C2 compiled
   * @param caller that method, or one that was inlined into it
   * @param reason as C2 states it
   */
  public record Call(String method, String caller, int bytecode, String callee, String reason) {
    Call(String method, Decision call) {
      this(method, call.caller, call.bytecode, call.callee, call.refusal);
    }
  }

  /** C2's reason if calls are nested too deep. */
  public static final String TOO_DEEP = "inlining too deep";

  /** The compiled method has used up its budget. */
  private static final Set<String> BUDGETS =
      Set.of("NodeCountInliningCutoff", "size > DesiredMethodLimit");

  private static final Set<String> LIMITS = Set.of(TOO_DEEP, "already compiled into a big method");

  private static final Pattern JDK = Pattern.compile("(java|javax|jdk|sun|com\\.sun)\\..*");

  /** The JDK's code for native memory, the library, and the agent's classes in java.base. */
  private static final Pattern MEMORY =
      Pattern.compile(
          "(java\\.lang|jdk\\.internal)\\.foreign\\..*|java\\.lang\\.invoke\\.(Var|Method)Handle.*"
              + "|jdk\\.internal\\.misc\\.ScopedMemoryAccess.*"
              + "|dev\\.rockpool\\.(arena|call|direct|internal)\\..*|java\\..*\\.Rockpool[^.]*\\..*");

  /** A compiler's decision about one call; the refusal is empty if it was inlined. */
  record Decision(String caller, int bytecode, String callee, String refusal) {}

  /** The refused calls are a set, because C2 may start a compilation over. */
  private record Compilation(Instant begin, String method, Set<Decision> refused) {
    Compilation plus(Compilation other) {
      Set<Decision> both = refused;
      if (!other.refused.isEmpty()) {
        both = new HashSet<>(refused);
        both.addAll(other.refused);
      }
      boolean isLater = begin.isAfter(other.begin);
      return new Compilation(isLater ? other.begin : begin, isLater ? other.method : method, both);
    }
  }

  /** By their number, which ascends. */
  private final TreeMap<Integer, Compilation> compilations = new TreeMap<>();

  /** The program's methods that access memory themselves. */
  private final Set<String> users = new HashSet<>();

  void add(RecordedEvent event) {
    @Nullable RecordedMethod caller = event.getValue("caller");
    RecordedThread compiler = event.getThread();
    if (caller == null || compiler == null || compiler.getJavaName() == null) {
      return; // of a class that was unloaded
    }
    RecordedObject callee = event.getValue("callee");
    add(
        compiler.getJavaName(),
        event.getInt("compileId"),
        event.getStartTime(),
        new Decision(
            name(caller.getType().getName(), caller),
            event.getInt("bci"),
            name(callee.getString("type").replace('/', '.'), callee),
            event.getBoolean("succeeded") ? "" : event.getString("message")));
  }

  void add(String compiler, int id, Instant time, Decision decision) {
    if (MEMORY.matcher(decision.callee).matches() && isOfProgram(decision.caller)) {
      users.add(decision.caller);
    }
    if (compiler.startsWith("C2 ")) {
      boolean isLimit = BUDGETS.contains(decision.refusal) || LIMITS.contains(decision.refusal);
      Set<Decision> refused = isLimit ? Set.of(decision) : Set.of();
      compilations.merge(id, new Compilation(time, decision.caller, refused), Compilation::plus);
    }
  }

  private static String name(String type, RecordedObject method) {
    return printable(type + "." + method.getString("name") + method.getString("descriptor"));
  }

  private static boolean isOfProgram(String method) {
    return !JDK.matcher(method).matches() && !MEMORY.matcher(method).matches();
  }

  Inlining plus(Inlining other) {
    Inlining both = new Inlining();
    for (Inlining each : List.of(this, other)) {
      both.users.addAll(each.users);
      each.compilations.forEach((id, more) -> both.compilations.merge(id, more, Compilation::plus));
    }
    return both;
  }

  boolean isEmpty() {
    return compilations.isEmpty();
  }

  /** Returns each refused call in the last compilation of each method. */
  Stream<Call> calls() {
    Map<String, Compilation> lasts = new HashMap<>();
    compilations.values().forEach(compilation -> lasts.put(compilation.method, compilation));
    return lasts.values().stream()
        .filter(last -> isOfProgram(last.method))
        .flatMap(
            last ->
                last.refused.stream()
                    .filter(this::isOfMemory)
                    .map(call -> new Call(last.method, call)));
  }

  private boolean isOfMemory(Decision call) {
    return MEMORY.matcher(call.caller).matches()
        || MEMORY.matcher(call.callee).matches()
        || (BUDGETS.contains(call.refusal) && users.contains(call.callee));
  }
}
