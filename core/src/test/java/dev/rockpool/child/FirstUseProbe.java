package dev.rockpool.child;

import dev.rockpool.direct.DirectMemory;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Uses direct memory for the first time at each of the last frames of a stack, in a class loader of
 * its own, and then once more where there is stack.
 */
final class FirstUseProbe {
  private static final int FRAMES = 450;
  private static final int STEP = 6;

  private FirstUseProbe() {}

  public static void main(String[] args) throws Exception {
    new Use().run(); // initializes classes of the JDK, and finds the stack that this takes
    int cutOff = 0;
    for (int frames = 0; frames < FRAMES; frames += STEP) {
      Runnable use = loadAnew();
      AtEnd atEnd = new AtEnd(use, frames);
      Thread thread = new Thread(null, atEnd, "small stack", 200 << 10);
      thread.start();
      thread.join();
      cutOff += atEnd.isCutOff ? 1 : 0;
      use.run();
    }
    System.out.println("cut off=" + cutOff);
    System.out.println("works=true");
  }

  /** Loads all classes, because a class loader of the JDK may itself break where a stack ends. */
  private static Runnable loadAnew() throws Exception {
    URL library = DirectMemory.class.getProtectionDomain().getCodeSource().getLocation();
    URL program = FirstUseProbe.class.getProtectionDomain().getCodeSource().getLocation();
    URLClassLoader loader =
        new URLClassLoader(new URL[] {library, program}, ClassLoader.getPlatformClassLoader());
    Path root = Path.of(library.toURI());
    for (String folder : List.of("dev/rockpool/direct", "dev/rockpool/internal")) {
      try (Stream<Path> files = Files.list(root.resolve(folder))) {
        for (Path file : files.toList()) {
          load(loader, root.relativize(file).toString());
        }
      } catch (IOException failure) {
        throw new IllegalStateException(failure);
      }
    }
    return (Runnable) loader.loadClass(Use.class.getName()).getConstructor().newInstance();
  }

  private static void load(ClassLoader loader, String file) throws ClassNotFoundException {
    String name = file.replace(".class", "").replace('/', '.');
    if (file.endsWith(".class") && !name.endsWith("package-info")) {
      Class.forName(name, false, loader);
    }
  }

  /** Uses direct memory. */
  public static final class Use implements Runnable {
    public Use() {}

    @Override
    public void run() {
      DirectMemory.global().free(DirectMemory.global().allocate(4096));
    }
  }

  private static final class AtEnd implements Runnable {
    private final Runnable use;
    private final int frames;
    private int returned;
    private boolean isCutOff;

    AtEnd(Runnable use, int frames) {
      this.use = use;
      this.frames = frames;
    }

    @Override
    public void run() {
      try {
        run();
      } catch (StackOverflowError end) {
        returned = 0;
      }
      if (returned++ == frames) {
        try {
          use.run();
        } catch (StackOverflowError expected) {
          isCutOff = true;
        }
      }
    }
  }
}
