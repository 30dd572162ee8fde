package dev.rockpool.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * Fails a test that leaves native memory unfreed, or that holds too much at a time. The message
 * names the lines that took the memory. On a class, this holds for each of its tests; on a method,
 * it takes the place of the class's.
 *
 * {@snippet lang = java :
 * @Test
 * @NativeMemory(leaks = "none", most = "64m")
 * void loadsOrders() {
 *   try (Orders orders = Orders.load(file)) {
 *     assertEquals(3, orders.count());
 *   }
 * }
 * }
 *
 * <p>Rockpool's agent counts, so it must be in the JVM of the tests. Without it the test is
 * skipped, and the reason says what to add to Maven's or Gradle's build.
 *
 * <p>A test begins before its {@code @BeforeEach} methods and ends after its {@code @AfterEach}
 * methods. What it frees may also have been allocated before. A test that fails by itself is not
 * checked.
 *
 * <table>
 * <caption>What counts, and when it is freed</caption>
 * <tr><th>kind</th><th>freed</th></tr>
 * <tr><td>confined and shared arenas</td><td>when they are closed; if they never are, they leak
 *   although nothing refers to them</td></tr>
 * <tr><td>automatic arenas, {@code ByteBuffer.allocateDirect}</td><td>when nothing refers to them:
 *   if any are left, garbage is collected before the test is judged. What a field of the test
 *   refers to is not freed</td></tr>
 * <tr><td>{@code sun.misc.Unsafe}; {@code malloc} and its kin that the program links together with
 *   {@code free}</td><td>when they are freed. A {@code malloc} of less than 16 KiB counts at the
 *   class that linked it</td></tr>
 * <tr><td>{@code Arena.global()}</td><td>never, on purpose: counts for {@link #most}, and is no
 *   leak</td></tr>
 * </table>
 *
 * <p>Not counted are mapped files, memory that C code allocates for itself, and what code allocates
 * that the agent does not rewrite. A library that keeps memory in a cache holds it after the test:
 * use the library once before, or allow so many bytes to {@link #leaks}.
 *
 * <p>The figures are those of the whole JVM. So JUnit runs no other test of Jupiter beside one with
 * this annotation, even if tests run in parallel. End each thread that a test starts before the
 * test ends.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(NativeMemoryExtension.class)
@ResourceLock(Resources.GLOBAL)
public @interface NativeMemory {
  /**
   * How much memory may be left unfreed: {@code none}, {@code any}, or a number of bytes, perhaps
   * with the suffix k, m or g, such as {@code 64k}.
   *
   * @return the most bytes, as text
   */
  String leaks() default "none";

  /**
   * How much memory the test may hold at a time, beyond what was held when it began: {@code any},
   * or a number of bytes likewise.
   *
   * @return the most bytes, as text
   */
  String most() default "any";
}
