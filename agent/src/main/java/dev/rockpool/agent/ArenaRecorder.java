package dev.rockpool.agent;

import dev.rockpool.agent.AgentOptions.Option;
import dev.rockpool.agent.AgentTransformer.Targets;
import dev.rockpool.record.SiteKind;
import java.io.IOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
  static final String WITHOUT =
      "arenas can't be recorded, and the program runs on without Rockpool";

  private static final MethodType REGISTER =
      MethodType.methodType(void.class, String.class, boolean.class, int.class, int.class);

  private ArenaRecorder() {}

  /**
   * Registers the events, and starts a recording if none is running.
   *
   * @return the targets of redirected classes, or null if arenas can't be recorded
   * @throws IllegalArgumentException with a message for the user, if the file that the options name
   *     can't be written
   */
  static @Nullable RecordedSites start(AgentReport report, LibraryInJavaBase library) {
    AgentOptions options = report.options;
    if (ModuleLayer.boot().findModule("jdk.jfr").isEmpty()) {
      Console.print(WITHOUT + ": module jdk.jfr is not there; try --add-modules jdk.jfr");
      return null;
    }
    try {
      library
          .method("ArenaEvents", "register", REGISTER)
          .invokeExact(
              report.version, report.poolsArenas, options.leaksEvery(), options.recordStack());
      RecordedSites sites = new RecordedSites(library, report);
      ArenaRecording.start(options.recordFile(), sites.used);
      return sites;
    } catch (IllegalArgumentException refused) {
      throw refused;
    } catch (Throwable failure) {
      Console.print(WITHOUT, failure);
      return null;
    }
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
   * The targets of redirected uses while arenas are recorded. Each call gets a target class of its
   * own, in java.lang.foreign, which passes on the number of the site; all method references of a
   * class get one.
   *
   * <pre>
   *   public final class RockpoolRecordSite7 {
   *     &#64;ForceInline
   *     public static Arena ofConfined() {
   *       return RockpoolRecordedArena.ofPool(7);
   *     }
   *   }
   *
   *   public final class RockpoolRecordSite8 {
   *     public static MappedByteBuffer map(FileChannel channel, MapMode mode, long at, long size) {
   *       MappedByteBuffer made = channel.map(mode, at, size);
   *       RockpoolHolding.ofBuffer(made, 8);
   *       return made;
   *     }
   *   }
   * </pre>
   *
   * <p>So finding the site costs nothing, and in the program's class only entries of the constant
   * pool and operands change. Sites of the same name, in classes of different loaders, share a
   * target class, and so do all sites of a kind beyond the first few thousand.
   */
  static final class RecordedSites implements Targets {
    private static final MethodType NUMBER =
        MethodType.methodType(int.class, String.class, int.class);
    private static final String ARENA = "Ljava/lang/foreign/Arena;";
    private static final String SEGMENT = "Ljava/lang/foreign/MemorySegment;";
    private static final RuntimeVisibleAnnotationsAttribute INLINED =
        RuntimeVisibleAnnotationsAttribute.of(
            Annotation.of(ClassDesc.of("jdk.internal.vm.annotation.ForceInline")));

    /** Slot of the arena in the target of {@code FileChannel.map}. */
    private static final int IN_ARENA = 6;

    private final LibraryInJavaBase library;
    private final boolean ofPool;
    private final boolean direct;

    /** Names of the targets that were defined. */
    private final Set<String> defined = ConcurrentHashMap.newKeySet();

    /** Whether any target was requested, so that arenas may have been recorded. */
    private final AtomicBoolean used = new AtomicBoolean();

    /** Makes targets that open arenas of the pool or the JDK, and make buffers of ours or not. */
    RecordedSites(LibraryInJavaBase library, AgentReport report) {
      this.library = library;
      this.ofPool = report.poolsArenas;
      this.direct = report.options.has(Option.DIRECT);
    }

    @Override
    public void define(RedirectedMethod method) throws Exception {
      if (method == RedirectedMethod.OF_CONFINED
          || (method == RedirectedMethod.ALLOCATE_DIRECT && direct)) {
        library.define(method);
      }
    }

    @Override
    public boolean tellCallsApart() {
      return true;
    }

    @Override
    public String of(RedirectedMethod method, String className) throws Exception {
      return target(method, className.replace('/', '.'));
    }

    @Override
    public String ofCall(RedirectedMethod method, String className, String place) throws Exception {
      return target(method, className.replace('/', '.') + "." + place);
    }

    /** Defines the target of a site at its first call. */
    private String target(RedirectedMethod method, String siteName) throws Exception {
      used.set(true);
      int site = number(siteName, kind(method));
      String name = "java/lang/foreign/RockpoolRecord" + variant(method) + "Site" + site;
      if (!defined.contains(name)) { // the JVM counts a refused class as loaded, too
        library.defineEntry(name, bytes(method, ClassDesc.ofInternalName(name), site));
        defined.add(name);
      }
      return name;
    }

    private static int kind(RedirectedMethod method) {
      return switch (method) {
        case OF_CONFINED -> SiteKind.CONFINED;
        case OF_SHARED -> SiteKind.SHARED;
        case OF_AUTO -> SiteKind.AUTOMATIC;
        case GLOBAL -> SiteKind.GLOBAL;
        case ALLOCATE_DIRECT -> SiteKind.DIRECT;
        case MAP_BUFFER, MAP_SEGMENT -> SiteKind.MAPPED;
      };
    }

    /**
     * Tells targets of one site number apart: the classes stay, but after an uninstall the agent
     * may come with other options; and both ways to map are of one kind.
     */
    private String variant(RedirectedMethod method) {
      return switch (method) {
        case OF_CONFINED -> ofPool ? "" : "Jdk";
        case ALLOCATE_DIRECT -> direct ? "Direct" : "";
        case MAP_SEGMENT -> "Segment";
        default -> "";
      };
    }

    private int number(String siteName, int kind) throws Exception {
      try {
        return (int) library.method("Sites", "of", NUMBER).invokeExact(siteName, kind);
      } catch (Exception | Error failure) {
        throw failure;
      } catch (Throwable impossible) {
        throw new LinkageError("Sites.of", impossible);
      }
    }

    private byte[] bytes(RedirectedMethod method, ClassDesc name, int site) {
      return ClassFile.of()
          .build(
              name,
              built ->
                  built
                      .withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL | ClassFile.ACC_SUPER)
                      .withMethod(
                          method.method,
                          MethodTypeDesc.ofDescriptor(method.targetType()),
                          ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                          entry ->
                              (method == RedirectedMethod.OF_CONFINED ? entry.with(INLINED) : entry)
                                  .withCode(code -> write(code, method, site))));
    }

    private void write(CodeBuilder code, RedirectedMethod method, int site) {
      int slot = 0;
      for (ClassDesc each : MethodTypeDesc.ofDescriptor(method.targetType()).parameterList()) {
        TypeKind parameter = TypeKind.from(each);
        code.loadLocal(parameter, slot);
        slot += parameter.slotSize();
      }
      ClassDesc owner = ClassDesc.ofInternalName(method.owner);
      MethodTypeDesc type = MethodTypeDesc.ofDescriptor(method.type);
      switch (method) {
        case OF_CONFINED -> {} // the recorder opens the arena
        case OF_SHARED, OF_AUTO, GLOBAL -> code.invokestatic(owner, method.method, type, true);
        case ALLOCATE_DIRECT -> {
          String from = direct ? LibraryInJavaBase.BUFFERS : method.owner;
          code.invokestatic(ClassDesc.ofInternalName(from), method.method, type).dup();
        }
        case MAP_BUFFER -> code.invokevirtual(owner, method.method, type).dup();
        case MAP_SEGMENT -> code.invokevirtual(owner, method.method, type).dup().aload(IN_ARENA);
      }
      code.loadConstant(site);
      switch (method) {
        case OF_CONFINED ->
            call(
                code, LibraryInJavaBase.RECORDED_ARENA, ofPool ? "ofPool" : "ofJdk", "(I)" + ARENA);
        case OF_SHARED, OF_AUTO, GLOBAL ->
            call(code, LibraryInJavaBase.HOLDING_ARENA, "of", "(" + ARENA + "I)" + ARENA);
        case ALLOCATE_DIRECT, MAP_BUFFER ->
            call(code, LibraryInJavaBase.HOLDING, "ofBuffer", "(Ljava/nio/Buffer;I)V");
        case MAP_SEGMENT ->
            call(code, LibraryInJavaBase.HOLDING, "ofMapped", "(" + SEGMENT + ARENA + "I)V");
      }
      code.areturn();
    }

    private static void call(CodeBuilder code, String owner, String method, String type) {
      code.invokestatic(ClassDesc.ofInternalName(owner), method, MethodTypeDesc.ofDescriptor(type));
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

    private static final String[] EVENTS = {
      "RecorderSettings",
      "ArenaHistogram",
      "ArenaSite",
      "OpenArenas",
      "HolderSite",
      "HolderStack",
      "NativeMemory"
    };

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
        if (named != null) {
          throw AgentOptions.notAccepted(Option.RECORD, named.toString());
        }
        Console.print(
            "the recording can't be written to " + file.toAbsolutePath() + ", name a file",
            unwritable);
        return; // other recordings have the events
      }
      recording.setName("rockpool");
      for (String event : EVENTS) {
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
      return FlightRecorder.getFlightRecorder().getRecordings().stream()
          .anyMatch(recording -> recording.getState() == RecordingState.RUNNING);
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
