package dev.rockpool.study;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import org.freedesktop.cairo.Context;
import org.freedesktop.cairo.FontSlant;
import org.freedesktop.cairo.FontWeight;
import org.freedesktop.cairo.Format;
import org.freedesktop.cairo.ImageSurface;
import org.freedesktop.cairo.TextExtents;

/** Cairo: bar charts with labels, as PNG in a file and in memory, and a small picture of each. */
public final class Drawings {
  private static final int PICTURES = 60;
  private static final int BARS = 40;
  private static final int WIDTH = 800;
  private static final int HEIGHT = 400;

  private final Words words = new Words();

  private Drawings() {}

  /** For the folder of the pictures. Needs libcairo. */
  public static void main(String[] args) throws IOException {
    Drawings drawings = new Drawings();
    long bytes = 0;
    for (int i = 0; i < PICTURES; i++) {
      Path file = Path.of(args[0], "drawing.png");
      bytes += drawings.draw(file);
      thumbnail(file);
    }
    System.out.println("drawings: " + PICTURES + " pictures, " + bytes + " bytes");
  }

  private int draw(Path file) throws IOException {
    ImageSurface surface = ImageSurface.create(Format.ARGB32, WIDTH, HEIGHT);
    Context context = Context.create(surface);
    context.setSourceRGB(1, 1, 1).paint();
    context.selectFontFace("sans-serif", FontSlant.NORMAL, FontWeight.NORMAL).setFontSize(9);
    for (int i = 0; i < BARS; i++) {
      bar(context, i);
    }
    surface.writeToPNG(file.toString());
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    surface.writeToPNG(png);
    return png.size();
  }

  private void bar(Context context, int number) {
    double x = (double) WIDTH / BARS * number;
    String label = words.word();
    double height = label.hashCode() % 100 + 150;
    context.setSourceRGB(0.2, 0.4, 0.8).rectangle(x + 2, HEIGHT - height, 16, height).fill();
    context.setSourceRGB(0, 0, 0).setDash(new double[] {2, 1}, 0);
    context.moveTo(x, HEIGHT - height).lineTo(x + 20, HEIGHT - height).stroke();
    context.moveTo(x + 10 - width(context, label) / 2, HEIGHT - height - 4).showText(label);
  }

  /** Cairo's bindings leave it to the caller to bring an arena here. */
  private static double width(Context context, String label) {
    try (Arena arena = Arena.ofConfined()) {
      TextExtents extents = TextExtents.create(arena);
      context.textExtents(label, extents);
      return extents.width();
    }
  }

  private static void thumbnail(Path file) throws IOException {
    ImageSurface large = ImageSurface.createFromPNG(file.toString());
    ImageSurface small = ImageSurface.create(Format.ARGB32, WIDTH / 8, HEIGHT / 8);
    Context context = Context.create(small);
    context.scale(1.0 / 8, 1.0 / 8).setSource(large, 0, 0).paint();
    small.writeToPNG(file.resolveSibling("small.png").toString());
  }
}
