package dev.rockpool.study;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Answers with the same text each time. */
final class PageServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  private final String text;

  PageServlet(String text) {
    this.text = text;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType("text/plain");
    response.getWriter().print(text);
  }
}
