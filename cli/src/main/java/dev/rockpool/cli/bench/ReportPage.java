package dev.rockpool.cli.bench;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import dev.rockpool.cli.support.Packaged;

/**
 * The report as one HTML page that needs nothing else: {@code report.html} with the library that
 * draws and the data put into it.
 *
 * <p>The template is a page that works by itself, with sample data: what is replaced are the marked
 * places.
 */
final class ReportPage {
  private static final Gson GSON = new GsonBuilder().serializeNulls().create();
  private static final String TEMPLATE = "report.html";
  private static final String LIBRARY = "/echarts/echarts.common.min.js";
  private static final String LIBRARY_PLACE =
      "<script src=\"../../../../echarts/echarts.common.min.js\"></script>";
  private static final String DATA_START = "<script type=\"application/json\" id=\"report\">";
  private static final String DATA_END = "</script>";

  private ReportPage() {}

  static String of(JsonObject report) {
    String page = Packaged.text(ReportPage.class, TEMPLATE);
    int start = page.indexOf(DATA_START) + DATA_START.length();
    int end = page.indexOf(DATA_END, start);
    // Gson writes < as an escape, so that no text in the data can end the element.
    return (page.substring(0, start) + GSON.toJson(report) + page.substring(end))
        .replace(
            LIBRARY_PLACE, "<script>" + Packaged.text(ReportPage.class, LIBRARY) + "</script>");
  }
}
