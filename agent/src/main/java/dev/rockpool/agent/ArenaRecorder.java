package dev.rockpool.agent;

import dev.rockpool.agent.CallSiteTransformer.Targets;
import java.io.IOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
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

  /**
   * The targets of redirected call sites while arenas are recorded. Each class of the program gets
   * a target class of its own, in java.lang.foreign, which passes on the number of the site.
   *
   * <pre>
   *   public final class RockpoolRecordSite7 {
   *     &#64;ForceInline
   *     public static Arena ofConfined() {
   *       return RockpoolRecordedArena.ofPool(7);
   *     }
   *   }
   * </pre>
   *
   * <p>So finding the site costs nothing, and only one constant pool entry of the program's class
   * changes, as without recording. Classes of the same name in different loaders share a target
   * class, and so do all classes beyond the first few thousand.
   */
  static final class RecordedSites implements Targets {
    private static final MethodType NUMBER = MethodType.methodType(int.class, String.class);
    private static final String METHOD = "ofConfined";
    private static final ClassDesc ARENA = Arena.class.describeConstable().orElseThrow();
    private static final ClassDesc RECORDED =
        ClassDesc.ofInternalName(LibraryInJavaBase.RECORDED_ARENA);
    private static final MethodTypeDesc TYPE = MethodTypeDesc.of(ARENA);
    private static final MethodTypeDesc TYPE_WITH_SITE =
        MethodTypeDesc.of(ARENA, ConstantDescs.CD_int);
    private static final RuntimeVisibleAnnotationsAttribute INLINED =
        RuntimeVisibleAnnotationsAttribute.of(
            Annotation.of(ClassDesc.of("jdk.internal.vm.annotation.ForceInline")));

    private final LibraryInJavaBase library;
    private final String prefix;
    private final String opener;
    private final AtomicBoolean used = new AtomicBoolean();

    /** Makes targets that open arenas of the pool, or of the JDK. */
    RecordedSites(LibraryInJavaBase library, boolean ofPool) {
      this.library = library;
      this.prefix = "java/lang/foreign/RockpoolRecord" + (ofPool ? "Site" : "JdkSite");
      this.opener = ofPool ? "ofPool" : "ofJdk";
    }

    @Override
    public void defineArenas() throws IOException, ReflectiveOperationException {
      library.defineArenas();
    }

    @Override
    public void define(RedirectedMethod method) throws Exception {
      library.define(method);
    }

    /** Defines the target of a class at its first call. */
    @Override
    public String of(RedirectedMethod method, String className) throws Exception {
      if (method != RedirectedMethod.OF_CONFINED) {
        return library.of(method, className);
      }
      used.set(true);
      int site = number(className.replace('/', '.'));
      String name = prefix + site;
      library.defineEntry(name, bytes(ClassDesc.ofInternalName(name), site));
      return name;
    }

    private int number(String className) throws Exception {
      try {
        return (int) library.method("Sites", "of", NUMBER).invokeExact(className);
      } catch (Exception | Error failure) {
        throw failure;
      } catch (Throwable impossible) {
        throw new LinkageError("Sites.of", impossible);
      }
    }

    /** Returns a flag: whether any target was requested, so that arenas may have been recorded. */
    AtomicBoolean used() {
      return used;
    }

    private byte[] bytes(ClassDesc name, int site) {
      return ClassFile.of()
          .build(
              name,
              built ->
                  built
                      .withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL | ClassFile.ACC_SUPER)
                      .withMethod(
                          METHOD,
                          TYPE,
                          ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                          method ->
                              method
                                  .with(INLINED)
                                  .withCode(
                                      code ->
                                          code.loadConstant(site)
                                              .invokestatic(RECORDED, opener, TYPE_WITH_SITE)
                                              .areturn())));
    }
  }

  /**
   * A recording of Rockpool's events, which the agent starts if no other recording is running. The
   * recorder's shutdown hook writes the file, so also at {@code System.exit} and SIGTERM.
   *
   * <p>The JVM starts a recording of the command line after the agent. So our recording starts
   * first, and gives way if another one starts before any class was redirected: until then ours is
   * empty.
   */
  private static final class ArenaRecording implements FlightRecorderListener {
    /**
     * The recording that is running, or null. The thread that removes it from here ends it. No lock
     * is held, because the flight recorder calls listeners of the program.
     */
    private static final AtomicReference<@Nullable ArenaRecording> CURRENT =
        new AtomicReference<>();

    private final Recording recording;
    private final Path file;

    /** Whether arenas may have been recorded. A flag only, because a static field leads here. */
    private final AtomicBoolean used;

    private ArenaRecording(Recording recording, Path file, AtomicBoolean used) {
      this.recording = recording;
      this.file = file;
      this.used = used;
    }

    /**
     * Starts a recording, unless one is running and no file is named.
     *
     * @throws IllegalArgumentException if the file that is named can't be written
     */
    static void start(@Nullable Path named, AtomicBoolean used) {
      if (named == null && anyIsRunning()) {
        return;
      }
      Path file =
          named != null ? named : Path.of("rockpool-" + ProcessHandle.current().pid() + ".jfr");
      Recording recording = new Recording();
      try {
        recording.setDestination(file);
        recording.setDumpOnExit(true);
      } catch (IOException unwritable) {
        recording.close();
        cannotWrite(named, file, unwritable);
        return;
      }
      recording.setName("rockpool");
      for (String event :
          new String[] {"RecorderSettings", "ArenaHistogram", "ArenaSite", "OpenArenas"}) {
        recording.enable("dev.rockpool." + event);
      }
      recording.start();
      ArenaRecording started = new ArenaRecording(recording, file.toAbsolutePath(), used);
      CURRENT.set(started);
      if (named == null) {
        FlightRecorder.addListener(started);
      }
    }

    private static boolean anyIsRunning() {
      for (Recording recording : FlightRecorder.getFlightRecorder().getRecordings()) {
        if (recording.getState() == RecordingState.RUNNING) {
          return true;
        }
      }
      return false;
    }

    /** Throws if the user named the file; otherwise prints, as other recordings have the events. */
    private static void cannotWrite(@Nullable Path named, Path file, IOException unwritable) {
      if (named != null) {
        throw AgentOptions.notAccepted(AgentOptions.Option.RECORD, named.toString());
      }
      Console.print(
          "the recording can't be written to " + file.toAbsolutePath() + ", name a file",
          unwritable);
    }

    @Override
    public void recordingStateChanged(Recording other) {
      if (CURRENT.get() != this || used.get()) {
        FlightRecorder.removeListener(this);
      } else if (other.getState() == RecordingState.RUNNING && other.getId() != recording.getId()) {
        FlightRecorder.removeListener(this);
        if (CURRENT.compareAndSet(this, null)) {
          giveWay();
        }
      }
    }

    /** Closes the recording, and deletes its file, which setDestination has created empty. */
    private void giveWay() {
      try {
        recording.setDestination(null); // otherwise close writes the file
        recording.close();
        if (Files.size(file) == 0) {
          Files.delete(file);
        }
      } catch (IOException left) {
        Console.print("left an empty file behind", left);
      }
    }

    /** Ends the recording, if one is running, and writes its file. */
    static void stop() {
      ArenaRecording ending = CURRENT.getAndSet(null);
      if (ending != null) {
        ending.recording.stop();
        ending.recording.close();
      }
    }
  }
}
