package dev.rockpool.examples.webapp;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Answers with the bytes of parameter {@code text}, which C's {@code strlen} counts many times. */
public class LengthServlet extends HttpServlet {
  private static final long serialVersionUID = 1;
  private static final int ROUNDS = 200;

  @SuppressWarnings("restricted")
  private static final MethodHandle STRLEN =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("strlen"),
              FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));

  /** Opens the arena of one call. */
  protected Arena open() {
    return Arena.ofConfined();
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String text = request.getParameter("text");
    if (text == null) {
      response.sendError(HttpServletResponse.SC_BAD_REQUEST, "Parameter text must be given");
      return;
    }
    long sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
      try (Arena arena = open()) {
        sum += (long) STRLEN.invokeExact(arena.allocateFrom(text));
      } catch (Throwable failure) {
        throw new IllegalStateException(failure);
      }
    }
    response.getWriter().print(sum / ROUNDS);
  }
}
