package dev.rockpool.examples.webapp;

import dev.rockpool.arena.Arenas;
import dev.rockpool.direct.DirectMemory;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;

/** The same by {@code rockpool.jar} in the application, and a buffer under a limit. */
public class OwnPoolServlet extends LengthServlet {
  private static final long serialVersionUID = 1;

  @Override
  @SuppressWarnings("MustBeClosed") // the caller does that
  protected Arena open() {
    return Arenas.ofConfined();
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    ByteBuffer buffer = DirectMemory.global().allocate(10_000);
    super.doGet(request, response);
    DirectMemory.global().free(buffer);
  }
}
