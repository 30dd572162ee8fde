package dev.rockpool.agent;

/** Small programs that more than one test runs. */
final class Programs {
  /** Prints the class of the arena it gets. */
  static final String ARENA =
      """
      import java.lang.foreign.Arena;

      public class Main {
        public static void main(String[] args) {
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(8);
            System.out.println(arena.getClass().getName());
          }
        }
      }
      """;

  /**
   * Answers each line that it reads with the class of an arena, opened in the way that the line
   * says, or does something else with arenas.
   */
  static final String CONVERSATION =
      """
      import java.lang.foreign.*;
      import java.util.Scanner;
      import java.util.concurrent.SynchronousQueue;
      import java.util.function.Supplier;

      public class Main {
        static final Supplier<Arena> OLD_REFERENCE = Arena::ofConfined;
        static final SynchronousQueue<String> TO_LOOP = new SynchronousQueue<>();
        static final SynchronousQueue<String> FROM_LOOP = new SynchronousQueue<>();
        static Arena held;
        static MemorySegment kept;

        public static void main(String[] args) throws Exception {
          Thread.ofPlatform().daemon().start(Main::loop);
          System.out.println("ready");
          Scanner lines = new Scanner(System.in);
          while (lines.hasNextLine()) {
            System.out.println(answer(lines.nextLine()));
          }
        }

        static String answer(String line) throws Exception {
          return switch (line) {
            case "call" -> name(Arena.ofConfined());
            case "reference" -> reference();
            case "old reference" -> name(OLD_REFERENCE.get());
            case "lambda" -> ((Supplier<String>) () -> name(Arena.ofConfined())).get();
            case "loop" -> {
              TO_LOOP.put(line);
              yield FROM_LOOP.take();
            }
            case "late" -> Late.open();
            case "hold" -> {
              held = Arena.ofConfined();
              kept = held.allocateFrom("kept");
              yield held.getClass().getName();
            }
            case "use held" ->
                kept.getString(0) + " " + held.allocate(8).byteSize() + " " + held.scope().isAlive();
            case "close held" -> {
              held.close();
              try {
                yield kept.getString(0);
              } catch (IllegalStateException closed) {
                yield closed.getMessage();
              }
            }
            case "wrapped" -> {
              var field = held.getClass().getDeclaredField("arena");
              field.setAccessible(true);
              yield field.get(held).getClass().getName();
            }
            case "zero" -> {
              try (Arena arena = Arena.ofConfined()) {
                yield String.valueOf(arena.allocate(512).mismatch(arena.allocate(512)));
              }
            }
            default -> throw new AssertionError(line);
          };
        }

        static String reference() {
          Supplier<Arena> reference = Arena::ofConfined;
          return name(reference.get());
        }

        /** Never returns. */
        static void loop() {
          try {
            while (true) {
              TO_LOOP.take();
              FROM_LOOP.put(once());
            }
          } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
          }
        }

        static String once() {
          return name(Arena.ofConfined());
        }

        static String name(Arena arena) {
          try (arena) {
            arena.allocate(8);
            return arena.getClass().getName();
          }
        }

        static class Late {
          static String open() {
            return name(Arena.ofConfined());
          }
        }
      }
      """;

  private Programs() {}
}
