package dev.rockpool.cli.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import javax.management.openmbean.SimpleType;
import org.junit.jupiter.api.Test;

class RunningJvmTest {
  private record Sent(int value) implements Serializable {}

  @SuppressWarnings("BanSerializableRead") // what is read was written here
  private static Object received(Object sent) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(sent);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return in.readObject();
    }
  }

  /** The other process sends objects, and chooses their classes. */
  @Test
  void onlyClassesOfTheJdkAreReceived() throws Exception {
    assertThat(new RunningJvm(1).pid()).isEqualTo(1);

    assertThat(received("text")).isEqualTo("text");
    assertThat(received(SimpleType.LONG)).isEqualTo(SimpleType.LONG);
    assertThatExceptionOfType(InvalidClassException.class)
        .isThrownBy(() -> received(new Sent(1)))
        .withMessageContaining("REJECTED");
  }
}
