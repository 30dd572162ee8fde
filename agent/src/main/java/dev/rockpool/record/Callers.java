package dev.rockpool.record;

import dev.rockpool.malloc.Libraries;
import dev.rockpool.malloc.Origin;
import java.lang.StackWalker.StackFrame;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Finds the frames of the program that open or take memory. */
public final class Callers {
  private static final String OURS = Callers.class.getPackageName() + ".";

  /** The entries of rewritten code, and the methods of the JDK's that call {@code allocate}. */
  private static final String ENTRIES = "java.lang.foreign.";

  /** Whether a class is one of those that the user names; null if there are none. */
  static volatile @Nullable Predicate<String> skipped;

  /** Frames that are searched for the one that takes memory by address. */
  private static final int DEEPEST_TAKER = 64;

  private static final StackWalker WALKER = StackWalker.getInstance();

  private Callers() {}

  /**
   * The innermost frames of the program.
   *
   * @param text one frame in a line
   * @param isCut whether there are further frames
   */
  record Stack(String text, boolean isCut) {}

  static Stack stack(int most) {
    List<String> all =
        WALKER.walk(
            stack ->
                stack
                    .dropWhile(frame -> isOurs(frame.getClassName()))
                    .limit(most + 1L)
                    .map(Callers::text)
                    .toList());
    boolean isCut = all.size() > most;
    return new Stack(String.join("\n", isCut ? all.subList(0, most) : all), isCut);
  }

  /**
   * Returns the frame that takes memory by address: the program's own, if the stack has one, else
   * that of the library which allocates, and the one of another package that calls it.
   */
  static String taker() {
    return WALKER.walk(
        stack -> {
          String library = "";
          String packageName = "";
          String caller = "";
          Iterator<StackFrame> frames = stack.iterator();
          for (int depth = 0; depth < DEEPEST_TAKER && frames.hasNext(); depth++) {
            StackFrame frame = frames.next();
            if (!isOurs(frame.getClassName()) && !isJdk(frame.getClassName())) {
              if (!isOfLibrary(frame.getClassName())) {
                return text(frame);
              }
              if (library.isEmpty()) {
                library = text(frame);
                packageName = packageName(frame);
              } else if (caller.isEmpty() && !packageName(frame).equals(packageName)) {
                caller = ", called by " + text(frame);
              }
            }
          }
          return library.isEmpty() ? "(the JDK)" : library + caller;
        });
  }

  /**
   * Returns the line that made an object which owns C memory: of the first frame outside of the
   * library that has the object's class. If there is none, the first one that makes the object.
   *
   * @param type the binary name of the object's class
   */
  static String maker(String type) {
    return WALKER.walk(
        stack -> {
          String noted = ""; // the class whose constructor ends
          String library = "";
          String within = "";
          Iterator<StackFrame> frames = stack.iterator();
          for (int depth = 0; depth < DEEPEST_TAKER && frames.hasNext(); depth++) {
            StackFrame frame = frames.next();
            String name = frame.getClassName();
            if (isOurs(name)) {
              continue;
            }
            if (noted.isEmpty()) {
              noted = name;
              library = Libraries.withCCode(name);
            }
            boolean isMade = name.equals(noted) || name.equals(type);
            if (isMade && frame.getMethodName().equals("<init>")) {
              continue;
            }
            if (isLoader(name)) { // reads a jar
              break;
            }
            if (isJdk(name) || name.startsWith("javax.")) {
              continue;
            }
            if (!isMade
                && !name.startsWith(noted + "$")
                && (library.isEmpty() || !name.startsWith(library))
                && !isOfLibrary(name)) {
              return text(frame);
            }
            within = within.isEmpty() ? text(frame) : within;
          }
          return within.isEmpty() ? "(the JDK)" : within;
        });
  }

  private static boolean isLoader(String className) {
    return className.startsWith("jdk.internal.loader.")
        || className.equals("java.lang.ClassLoader");
  }

  private static String packageName(StackFrame frame) {
    String className = frame.getClassName();
    return className.substring(0, Math.max(0, className.lastIndexOf('.')));
  }

  /** Whether a class allocates for others; option {@code sites.skip} names more than we know. */
  static boolean isOfLibrary(String className) {
    Predicate<String> byUser = skipped;
    return (byUser != null && byUser.test(className)) || Libraries.has(className);
  }

  static String linkingClass() {
    return WALKER.walk(
        stack ->
            stack
                .map(StackFrame::getClassName)
                .dropWhile(name -> isOurs(name) || isJdk(name))
                .findFirst()
                .orElse(""));
  }

  private static boolean isJdk(String className) {
    return className.startsWith("java.")
        || className.startsWith("jdk.")
        || className.startsWith("sun.");
  }

  private static boolean isOurs(String className) {
    return className.startsWith(OURS) || className.startsWith(ENTRIES);
  }

  private static String text(StackFrame frame) {
    String place = frame.getClassName() + "." + frame.getMethodName();
    int line = frame.getLineNumber();
    return Origin.shortened(line < 0 ? place : place + ":" + line);
  }
}
