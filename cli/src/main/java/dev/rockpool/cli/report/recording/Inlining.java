package dev.rockpool.cli.report.recording;

import static dev.rockpool.cli.report.recording.Reading.printable;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
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
 * What the compilers of one JVM inlined: the calls that C2 refused at a limit, where the program
 * uses native memory.
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
  public record Call(String method, String caller, String callee, String reason) {}

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

  private record Refused(String caller, String callee, String reason, int bytecode) {}

  private static final class Compilation {
    private Instant first = Instant.MAX;
    private String method = "";

    /** A set, because C2 may start a compilation over. */
    private final Set<Refused> refused = new HashSet<>();

    void begin(Instant time, String caller) {
      if (time.isBefore(first)) {
        first = time;
        method = caller;
      }
    }
  }

  /** By their number, which ascends. */
  private final TreeMap<Integer, Compilation> compilations = new TreeMap<>();

  /** The program's methods that access memory themselves. */
  private final Set<String> users = new HashSet<>();

  void add(RecordedEvent event) {
    @Nullable RecordedMethod from = event.getValue("caller");
    if (from == null || from.getType() == null) {
      return; // of a class that was unloaded
    }
    String caller = printable(name(from.getType().getName(), from));
    RecordedObject to = event.getValue("callee");
    String callee = printable(name(to.getString("type").replace('/', '.'), to));
    if (MEMORY.matcher(callee).matches() && isOfProgram(caller)) {
      users.add(caller);
    }
    RecordedThread thread = event.getThread();
    if (thread == null || !String.valueOf(thread.getJavaName()).startsWith("C2 ")) {
      return;
    }
    Compilation compilation =
        compilations.computeIfAbsent(event.getInt("compileId"), _ -> new Compilation());
    compilation.begin(event.getStartTime(), caller);
    String reason = String.valueOf(event.getString("message"));
    if (!event.getBoolean("succeeded") && (BUDGETS.contains(reason) || LIMITS.contains(reason))) {
      compilation.refused.add(new Refused(caller, callee, reason, event.getInt("bci")));
    }
  }

  private static String name(String type, RecordedObject method) {
    return type + "." + method.getString("name") + method.getString("descriptor");
  }

  private static boolean isOfProgram(String method) {
    return !JDK.matcher(method).matches() && !MEMORY.matcher(method).matches();
  }

  Inlining plus(Inlining other) {
    Inlining both = new Inlining();
    both.add(this);
    both.add(other);
    return both;
  }

  private void add(Inlining other) {
    users.addAll(other.users);
    other.compilations.forEach(
        (id, more) -> {
          Compilation compilation = compilations.computeIfAbsent(id, _ -> new Compilation());
          compilation.begin(more.first, more.method);
          compilation.refused.addAll(more.refused);
        });
  }

  /** Whether nothing was recorded. */
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
                    .map(call -> new Call(last.method, call.caller, call.callee, call.reason)));
  }

  private boolean isOfMemory(Refused call) {
    return MEMORY.matcher(call.caller).matches()
        || MEMORY.matcher(call.callee).matches()
        || (BUDGETS.contains(call.reason) && users.contains(call.callee));
  }
}
