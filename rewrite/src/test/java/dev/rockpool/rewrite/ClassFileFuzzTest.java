package dev.rockpool.rewrite;

import static dev.rockpool.rewrite.RedirectedMethod.ALLOCATE_DIRECT;
import static dev.rockpool.rewrite.RedirectedMethod.OF_CONFINED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.rewrite.CallSites.Call;
import dev.rockpool.testing.Sources;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Class files with call sites, damaged at random, are redirected or refused. No other exception
 * comes; entries for the methods change and nothing else; and the JVM links the result exactly
 * where it links the original, but for {@link #withAddedEntries}.
 *
 * <p>{@code -Drockpool.fuzz.classes=N} makes more of them, {@code -Drockpool.fuzz.first=N} starts
 * with that one: each is made from its number alone.
 */
class ClassFileFuzzTest {
  private static final int CLASSES = Integer.getInteger("rockpool.fuzz.classes", 20_000);
  private static final int FIRST = Integer.getInteger("rockpool.fuzz.first", 0);

  private static final String LINKED = "linked";

  private static final String BUFFERS =
      """
      import java.nio.*;
      import java.util.function.*;

      public class Sample implements Runnable {
        static final ByteBuffer FIRST = ByteBuffer.allocateDirect(1);
        static final long LONG = 0x0b0a_0b0a_0b0aL;
        final IntFunction<ByteBuffer> reference = ByteBuffer::allocateDirect;

        @Override public void run() {
          ByteBuffer.allocateDirect(2).order(ByteOrder.LITTLE_ENDIAN).putDouble(Math.PI).flip();
          ((Runnable) () -> ByteBuffer.allocateDirect((int) (LONG + 6))).run();
          switch (reference.apply(3).capacity()) {
            case 1: case 2: case 3: ByteBuffer.allocateDirect(7);
            case 1000: ByteBuffer.allocateDirect(8).clear();
            default: FIRST.clear();
          }
        }
      }
      """;

  private static final String RECORDED =
      """
      import java.lang.foreign.*;
      import java.nio.channels.FileChannel;
      import java.util.function.*;

      public class Sample {
        static final Arena GLOBAL = Arena.global();
        final Supplier<Arena> reference = Arena::ofShared;

        static MemorySegment map(FileChannel channel, Arena arena, boolean buffer)
            throws java.io.IOException {
          if (buffer) {
            return MemorySegment.ofBuffer(channel.map(FileChannel.MapMode.READ_ONLY, 0, 7));
          }
          try (Arena shared = Arena.ofShared(); Arena confined = Arena.ofConfined()) {
            channel.map(FileChannel.MapMode.PRIVATE, 1, 2, shared);
          }
          return channel.map(FileChannel.MapMode.READ_WRITE, 1, 2, Arena.ofAuto());
        }
      }
      """;

  /** Tag, owner, name and type of the methods. */
  private static final Set<String> NAMES =
      Set.of(
          "0b java/lang/foreign/Arena ofConfined ()Ljava/lang/foreign/Arena;",
          "0a java/nio/ByteBuffer allocateDirect (I)Ljava/nio/ByteBuffer;");

  /** Whole classes, each with those that it is loaded with. */
  private record Original(byte[] classFile, Map<String, byte[]> companions) {}

  @Test
  void damagedClassesComeOutAsTheyWentIn() {
    rewriteDamaged(false, CLASSES);
  }

  @Test
  void damagedClassesLinkAsBeforeIfEachCallIsRedirectedByItself() {
    rewriteDamaged(true, CLASSES / 2);
  }

  private static void rewriteDamaged(boolean apart, int classes) {
    List<Original> originals = originals(apart);
    int rewritten = 0;
    int linked = 0;
    for (int number = FIRST; number < FIRST + classes; number++) {
      Random random = new Random(number);
      Original original = originals.get(random.nextInt(originals.size()));
      byte[] damaged = damaged(original.classFile(), random);
      byte[] before = damaged.clone();

      byte[] after = rewrite(damaged, apart);

      assertThat(damaged).as("class %s was written to", number).isEqualTo(before);
      if (after != null) {
        rewritten++;
        String difference = apart ? "" : difference(before, after);
        String was = link(before, original.companions());
        String is = link(after, original.companions());
        linked += is.equals(LINKED) ? 1 : 0;
        boolean same =
            was.equals(LINKED) == is.equals(LINKED)
                || (is.equals(LINKED)
                    && link(withAddedEntries(before, after), original.companions()).equals(LINKED));
        if (!difference.isEmpty() || !same) {
          throw new AssertionError(
              "class %d: %s; before: %s; after: %s; %s"
                  .formatted(number, difference, was, is, HexFormat.of().formatHex(before)));
        }
      }
    }
    // Neither may be rare, or nothing is shown.
    assertThat(rewritten).isGreaterThan(classes / 4);
    assertThat(linked).isBetween(rewritten / 10, rewritten * 9 / 10);
  }

  private static List<Original> originals(boolean apart) {
    List<Original> originals = new ArrayList<>();
    if (apart) {
      add(Sources.compile(Sources.RELEASE, RECORDED), originals);
    }
    for (Shape shape : Shape.values()) {
      add(Sources.compile(Sources.RELEASE, shape.source()), originals);
    }
    for (int release : new int[] {8, 17, Sources.RELEASE}) {
      add(Sources.compile(release, BUFFERS), originals);
    }
    return originals;
  }

  private static void add(Map<String, byte[]> classes, List<Original> originals) {
    for (byte[] classFile : classes.values()) {
      if (rewrite(classFile, false) != null) {
        originals.add(new Original(classFile, classes));
      }
    }
  }

  /** Redirects as the agent does: each call to a class of its own if a recorder asks for that. */
  private static byte @Nullable [] rewrite(byte[] classFile, boolean apart) {
    Set<RedirectedMethod> wanted =
        apart ? EnumSet.allOf(RedirectedMethod.class) : EnumSet.of(OF_CONFINED, ALLOCATE_DIRECT);
    if (wanted.stream().noneMatch(method -> method.mayBeIn(classFile))) {
      return null;
    }
    try {
      CallSites sites = CallSites.in(classFile, wanted);
      Map<RedirectedMethod, String> targets = new LinkedHashMap<>();
      Map<Call, String> ofCalls = new LinkedHashMap<>();
      for (Call call : sites.calls) {
        if (apart && sites.methods.contains(call.method())) {
          sites.place(call);
          ofCalls.put(call, Redirected.TARGET);
        }
      }
      for (RedirectedMethod method : sites.methods) {
        if (!apart || (!method.isVirtual() && sites.hasReferences(method))) {
          targets.put(method, Redirected.TARGET);
        }
      }
      return sites.methods.isEmpty() ? null : sites.redirectedTo(targets, ofCalls);
    } catch (IllegalArgumentException | IndexOutOfBoundsException refused) {
      return null;
    }
  }

  /** One to three changes. */
  private static byte[] damaged(byte[] classFile, Random random) {
    byte[] damaged = classFile.clone();
    for (int left = 1 + random.nextInt(3); left > 0 && damaged.length > 100; left--) {
      damaged = changed(damaged, random);
    }
    return damaged;
  }

  private static byte[] changed(byte[] bytes, Random random) {
    int at = random.nextInt(bytes.length - 8);
    int other = random.nextInt(bytes.length - 8);
    switch (random.nextInt(14)) {
      case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> bytes[at] = (byte) random.nextInt(256);
      case 2 -> bytes[at] = (byte) (bytes[at] + (random.nextBoolean() ? 1 : -1));
      case 3 -> put(bytes, at, random.nextInt(200)); // an index, or a count
      case 4 -> put(bytes, at, random.nextInt(0x10000));
      case 5 -> put(bytes, 8, ((bytes[8] & 0xFF) << 8 | (bytes[9] & 0xFF)) + random.nextInt(5) - 2);
      case 6 -> put(bytes, 6, 44 + random.nextInt(28)); // version
      case 7 -> System.arraycopy(bytes, at, bytes, other, 1 + random.nextInt(8));
      case 8 -> replace(bytes, (byte) 0xB8, (byte) (0xB6 + random.nextInt(4)), random); // calls
      case 9 -> sameEntry(bytes, random);
      case 10 -> {
        return entryChanged(bytes, "0f", random); // a method handle
      }
      case 11 -> {
        return entryChanged(bytes, "01", random); // a text
      }
      case 12 -> {
        int length = 1 + random.nextInt(8);
        return random.nextInt(4) == 0
            ? Arrays.copyOf(bytes, at + 8) // cut short
            : without(bytes, at, length);
      }
      default -> {
        return random.nextBoolean() ? twice(bytes, at, 1 + random.nextInt(8)) : bytes;
      }
    }
    return bytes;
  }

  private static void put(byte[] bytes, int at, int value) {
    bytes[at] = (byte) (value >> 8);
    bytes[at + 1] = (byte) value;
  }

  /** One of those bytes that have a value. */
  private static void replace(byte[] bytes, byte value, byte by, Random random) {
    int start = random.nextInt(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      int at = (start + i) % bytes.length;
      if (bytes[at] == value) {
        bytes[at] = by;
        return;
      }
    }
  }

  /** Makes one entry of the constant pool like another one of its length, in whole or in part. */
  private static void sameEntry(byte[] bytes, Random random) {
    List<String> entries = entries(bytes);
    int from = random.nextInt(entries.size());
    int to = next(entries, random, entry -> isLike(entries.get(from), entry));
    if (to >= 0) {
      byte[] content = HexFormat.of().parseHex(entries.get(from));
      int length = random.nextBoolean() ? content.length : 3;
      System.arraycopy(content, 0, bytes, start(entries, to), length);
    }
  }

  /** Gives an entry another kind of method handle, or one letter more; the rest stays whole. */
  private static byte[] entryChanged(byte[] bytes, String tag, Random random) {
    List<String> entries = entries(bytes);
    int index = next(entries, random, entry -> entry.startsWith(tag));
    if (index < 0) {
      return bytes;
    }
    int at = start(entries, index);
    if (tag.equals("0f")) {
      bytes[at + 1] = (byte) random.nextInt(11);
      return bytes;
    }
    int length = entries.get(index).length() / 2 - 3;
    byte[] longer = twice(bytes, at + 2 + length, 1);
    put(longer, at + 1, length + 1);
    return longer;
  }

  /** None where the damage is such that they can't be told. */
  private static List<String> entries(byte[] bytes) {
    try {
      return ConstantPoolEntries.of(bytes).entries();
    } catch (AssertionError | RuntimeException damaged) {
      return List.of("");
    }
  }

  private static int start(List<String> entries, int index) {
    return 10 + String.join("", entries.subList(0, index)).length() / 2;
  }

  /** The first at random that holds, or -1. */
  private static int next(List<String> entries, Random random, Predicate<String> wanted) {
    int start = random.nextInt(entries.size());
    for (int i = 0; i < entries.size(); i++) {
      int index = (start + i) % entries.size();
      if (wanted.test(entries.get(index))) {
        return index;
      }
    }
    return -1;
  }

  private static boolean isLike(String entry, String other) {
    return entry.length() > 4 && entry.length() == other.length() && !entry.equals(other);
  }

  private static byte[] without(byte[] bytes, int at, int length) {
    byte[] shorter = Arrays.copyOf(bytes, bytes.length - length);
    System.arraycopy(bytes, at + length, shorter, at, Math.max(0, shorter.length - at));
    return shorter;
  }

  private static byte[] twice(byte[] bytes, int at, int length) {
    byte[] longer = Arrays.copyOf(bytes, bytes.length + length);
    System.arraycopy(bytes, at, longer, at + length, bytes.length - at);
    return longer;
  }

  /** The fault of a change, by a look at both class files that shares no code with it. */
  private static String difference(byte[] before, byte[] after) {
    ConstantPoolEntries was = ConstantPoolEntries.of(before);
    ConstantPoolEntries is = ConstantPoolEntries.of(after);
    if (!was.version().equals(is.version()) || !was.rest().equals(is.rest())) {
      return "something changed outside of the constant pool";
    }
    int size = was.entries().size();
    for (int i = size; i < is.entries().size(); i += 2) {
      if (!is.text(i).equals(Redirected.TARGET)
          || !is.entries().get(i + 1).equals("07" + ConstantPoolEntries.index(i))) {
        return "the added entry " + i + " is no class of ours";
      }
    }
    Set<String> redirected = new HashSet<>();
    Set<String> left = new HashSet<>();
    for (int i = 0; i < size; i++) {
      String old = was.entries().get(i);
      String now = is.entries().get(i);
      (old.equals(now) ? left : redirected).add(was.method(i));
      if (!old.equals(now)) {
        int owner = Integer.parseInt(now.substring(2, 6), 16);
        if (owner < size
            || !now.equals("0a" + ConstantPoolEntries.index(owner) + old.substring(6))) {
          return "entry " + i + " changed from " + old + " to " + now;
        }
      }
    }
    return !redirected.isEmpty()
            && NAMES.containsAll(redirected)
            && Collections.disjoint(redirected, left)
        ? ""
        : "redirected are " + redirected + ", and not " + left;
  }

  /**
   * The class as it was, with entries added and none redirected. It may link where the class did
   * not: that named an entry behind the end of its constant pool.
   */
  private static byte[] withAddedEntries(byte[] before, byte[] after) {
    byte[] added = after.clone();
    int poolEnd = before.length - ConstantPoolEntries.of(before).rest().length() / 2;
    System.arraycopy(before, 10, added, 10, poolEnd - 10);
    return added;
  }

  /** Defines a class in a loader of its own and links it: {@link #LINKED}, or why not. */
  private static String link(byte[] classFile, Map<String, byte[]> companions) {
    try {
      new Loader(companions).define(classFile).getDeclaredMethods();
      return LINKED;
    } catch (Throwable refused) {
      return refused.getClass().getName() + ": " + firstLine(refused);
    }
  }

  private static String firstLine(Throwable refused) {
    return String.valueOf(refused.getMessage()).lines().findFirst().orElse("");
  }

  private static final class Loader extends ClassLoader {
    private final Map<String, byte[]> companions;

    Loader(Map<String, byte[]> companions) {
      super(ClassFileFuzzTest.class.getClassLoader());
      this.companions = companions;
    }

    Class<?> define(byte[] classFile) {
      return defineClass(null, classFile, 0, classFile.length);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      byte[] bytes = companions.get(name);
      if (bytes == null) {
        throw new ClassNotFoundException(name);
      }
      return defineClass(name, bytes, 0, bytes.length);
    }
  }
}
