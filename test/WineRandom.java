import java.security.Provider;
import java.security.SecureRandomSpi;
import java.util.SplittableRandom;

/**
 * A source of random numbers for temporary files in Wine. The JDK's own asks network cards for a
 * seed, by a function of Windows that Wine lacks, and the JVM crashes.
 */
public final class WineRandom extends Provider {
  private static final long serialVersionUID = 1;

  /** Called by the JDK, to which the class is named in {@code java.security}. */
  public WineRandom() {
    super("WineRandom", "1", "Guessable numbers");
    put("SecureRandom.Guessable", Guessable.class.getName());
  }

  public static final class Guessable extends SecureRandomSpi {
    private static final long serialVersionUID = 1;
    private static final SplittableRandom NUMBERS = new SplittableRandom();

    @Override
    protected void engineSetSeed(byte[] seed) {}

    @Override
    protected void engineNextBytes(byte[] bytes) {
      synchronized (NUMBERS) {
        NUMBERS.nextBytes(bytes);
      }
    }

    @Override
    protected byte[] engineGenerateSeed(int byteSize) {
      byte[] seed = new byte[byteSize];
      engineNextBytes(seed);
      return seed;
    }
  }
}
