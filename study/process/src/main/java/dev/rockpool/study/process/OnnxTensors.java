package dev.rockpool.study.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.io.ByteArrayOutputStream;
import java.util.Map;

/** ONNX runtime: multiplies matrices. Only close frees a result, which its allocator holds. */
final class OnnxTensors extends Work {
  private static final int SIDE = 512;
  private static final long BYTES = SIDE * SIDE * Float.BYTES;

  private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
  private final float[][] matrix = new float[SIDE][SIDE];
  private final OrtSession session;

  OnnxTensors() throws OrtException {
    super(1);
    session = environment.createSession(model());
  }

  @Override
  void leak(int number) throws OrtException {
    try (OnnxTensor input = OnnxTensor.createTensor(environment, matrix)) {
      session.run(Map.of("x", input)).get(0);
      leaked(BYTES);
    }
  }

  @Override
  void close(int number) throws OrtException {
    try (OnnxTensor input = OnnxTensor.createTensor(environment, matrix);
        OrtSession.Result result = session.run(Map.of("x", input))) {
      result.get(0);
    }
  }

  /** Returns y = x * w, with a constant w, in ONNX's format: messages of protocol buffers. */
  private static byte[] model() {
    Message node = new Message().text(1, "x").text(1, "w").text(2, "y").text(4, "MatMul");
    Message weights =
        new Message()
            .number(1, SIDE)
            .number(1, SIDE)
            .number(2, 1)
            .text(8, "w")
            .bytes(9, new byte[(int) BYTES]);
    Message graph =
        new Message()
            .message(1, node)
            .text(2, "g")
            .message(5, weights)
            .message(11, matrix("x"))
            .message(12, matrix("y"));
    Message operators = new Message().text(1, "").number(2, 13);
    return new Message().number(1, 8).message(8, operators).message(7, graph).bytes();
  }

  private static Message matrix(String name) {
    Message side = new Message().number(1, SIDE);
    Message shape = new Message().message(1, side).message(1, side);
    Message tensor = new Message().number(1, 1).message(2, shape);
    return new Message().text(1, name).message(2, new Message().message(1, tensor));
  }

  /** A message of protocol buffers. */
  private static final class Message {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Message number(int field, long value) {
      variable(field << 3);
      variable(value);
      return this;
    }

    Message bytes(int field, byte[] value) {
      variable(field << 3 | 2);
      variable(value.length);
      out.writeBytes(value);
      return this;
    }

    Message text(int field, String value) {
      return bytes(field, value.getBytes(UTF_8));
    }

    Message message(int field, Message value) {
      return bytes(field, value.bytes());
    }

    byte[] bytes() {
      return out.toByteArray();
    }

    private void variable(long value) {
      long rest = value;
      for (; rest > 0x7f; rest >>>= 7) {
        out.write((int) ((rest & 0x7f) | 0x80));
      }
      out.write((int) rest);
    }
  }
}
