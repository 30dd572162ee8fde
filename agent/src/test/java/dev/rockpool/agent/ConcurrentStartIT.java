package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Sources;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many threads load their first classes at once: one of them defines the pool. */
class ConcurrentStartIT {
  private static final int CLASSES = 40;
  private static final int THREADS = 16;

  private static final String MAIN =
      """
      static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]);
        int classes = Integer.parseInt(args[1]);
        URL[] urls = {Path.of(args[2]).toUri().toURL()};
        CyclicBarrier start = new CyclicBarrier(threads);
        List<Future<List<String>>> results = new ArrayList<>();
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        for (int thread = 0; thread < threads; thread++) {
          int first = thread;
          results.add(executor.submit(() -> {
            ClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
            List<String> names = new ArrayList<>();
            start.await();
            for (int i = 0; i < classes; i++) {
              Object task = loader.loadClass("Task" + (first + i) % classes)
                  .getConstructor().newInstance();
              names.add((String) ((Callable<?>) task).call());
            }
            return names;
          }));
        }
        Map<String, Integer> counts = new TreeMap<>();
        for (Future<List<String>> result : results) {
          result.get().forEach(name -> counts.merge(name, 1, Integer::sum));
        }
        executor.shutdown();
        System.out.println(counts);
      }
      """;

  private static final String TASK =
      """
      import module java.base;

      public class TaskNUMBER implements Callable<String> {
        @Override public String call() {
          Supplier<Arena> reference = Arena::ofConfined;
          try (Arena outer = reference.get(); Arena inner = Arena.ofConfined()) {
            outer.allocate(inner.allocate(NUMBER + 1).byteSize());
            return outer.getClass() == inner.getClass() ? inner.getClass().getName() : "mixed";
          }
        }
      }
      """;

  @TempDir private Path directory;

  @Test
  void everyClassIsServedInEveryThreadByLoadersOfTheirOwn() {
    compile();

    assertThat(
            ChildJvm.withAgent()
                .classPath(directory)
                .lines("" + THREADS, "" + CLASSES, directory.toString()))
        .containsExactly("{" + POOLED + "=" + THREADS * CLASSES + "}");
  }

  private void compile() {
    String[] sources = new String[CLASSES + 1];
    for (int i = 0; i < CLASSES; i++) {
      sources[i] = TASK.replace("NUMBER", Integer.toString(i));
    }
    sources[CLASSES] = MAIN;
    Sources.compileTo(directory, sources);
  }
}
