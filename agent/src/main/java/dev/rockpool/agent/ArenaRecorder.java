package dev.rockpool.agent;

import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Starts and stops the recording of arenas. Module jdk.jfr may be missing, so classes that need it
 * are used only in methods that are called if the module is there.
 */
final class ArenaRecorder {
  private static final String WITHOUT = "arenas can't be recorded, and the program runs on without";

  private static final MethodType REGISTER =
      MethodType.methodType(void.class, String.class, boolean.class);

  private ArenaRecorder() {}

  /**
   * Defines the recording classes, and starts a recording if none is running.
   *
   * @return the targets of redirected classes, or null if arenas can't be recorded
   * @throws IllegalArgumentException with a message for the user, if the file that the options name
   *     can't be written
   */
  static @Nullable RecordedSites start(
      AgentOptions options, LibraryInJavaBase library, String version) {
    if (ModuleLayer.boot().findModule("jdk.jfr").isEmpty()) {
      Console.print(WITHOUT + ": module jdk.jfr is not there; try --add-modules jdk.jfr");
      return null;
    }
    try {
      library.defineRecorder();
      register(library, version, options.arenas());
      RecordedSites sites = new RecordedSites(library, options.arenas());
      ArenaRecording.start(options.record().file(), sites.used());
      return sites;
    } catch (IllegalArgumentException refused) {
      throw refused;
    } catch (Throwable failure) {
      Console.print(WITHOUT, failure);
      return null;
    }
  }

  private static void register(LibraryInJavaBase library, String version, boolean arenas)
      throws Throwable {
    library.method("ArenaEvents", "register", REGISTER).invokeExact(version, arenas);
  }

  /** Ends the recording that the agent started, if there is one, and writes its file. */
  static void stop() {
    try {
      ArenaRecording.stop();
    } catch (Throwable failure) {
      Console.print("the recording could not be written", failure);
    }
  }
}
