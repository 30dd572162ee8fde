package dev.rockpool.rewrite;

/** The reasons not to rewrite a class that has call sites. */
public enum Skip {
  /** No room for the entries to append. */
  POOL_FULL("constant pool full"),

  /** The serial form of a method reference states the owner of its method. */
  SERIALIZABLE("serializable method reference"),

  /** The redirected class would fail to load, instead of the call. */
  ODD_CALL("call that fails when it runs"),

  /** The user's patterns exclude the class. */
  EXCLUDED("excluded by options"),

  /** The JVM does not accept a new definition of the loaded class. */
  REFUSED("refused by the JVM"),

  FAILED("failed");

  /** The reason as messages and JMX name it. */
  public final String text;

  Skip(String text) {
    this.text = text;
  }
}
