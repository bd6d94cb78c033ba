package dev.vigil.gateway.evaluate.tables;

import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * A line chart, drawn as SVG without scripts or embedded fonts.
 *
 * @param file its name
 * @param scale of both axes
 */
public record Plot(
    String file, String title, String xLabel, String yLabel, Scale scale, List<Line> lines) {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 400;
  private static final int LEFT = 70;
  private static final int RIGHT = 30;
  private static final int TOP = 40;
  private static final int BOTTOM = 80;
  private static final int TICKS = 5;
  private static final int LEGEND = 570;

  /** Characters of a name for which a third of the legend is wide enough. */
  private static final int SHORT_NAME = 22;

  private static final int ROW = 18;
  private static final List<String> COLOURS =
      List.of(
          "#1f6feb", "#d1242f", "#1a7f37", "#8250df", "#bc4c00", "#57606a", "#bf3989", "#0a7ea4",
          "#9a6700");

  /** How values are placed on an axis. */
  public enum Scale {
    /** From 0 on. */
    LINEAR,
    /** From a power of ten to a power of ten; all values are positive. */
    LOGARITHMIC
  }

  public Plot(String file, String title, String xLabel, String yLabel, List<Line> lines) {
    this(file, title, xLabel, yLabel, Scale.LINEAR, lines);
  }

  /** The points of one line, in ascending x. */
  public record Line(String name, List<Point> points) {}

  /** A point in the units of the axes. */
  public record Point(double x, double y) {}

  /** The values at the ends of an axis, and those of its ticks. */
  private record Axis(Scale scale, double least, double most) {
    static Axis of(Scale scale, List<Line> lines, ToDoubleFunction<Point> value, double margin) {
      DoubleSummaryStatistics all =
          lines.stream()
              .flatMap(line -> line.points().stream())
              .mapToDouble(value)
              .summaryStatistics();
      if (scale == Scale.LINEAR || all.getCount() == 0) {
        return new Axis(Scale.LINEAR, 0, all.getMax() > 0 ? all.getMax() * margin : 1);
      }
      double first = Math.floor(Math.log10(all.getMin()));
      double last = Math.max(first + 1, Math.ceil(Math.log10(all.getMax())));
      return new Axis(scale, first, last);
    }

    /** The part of the axis below a value, 0 to 1. */
    double at(double value) {
      double place = scale == Scale.LINEAR ? value : Math.log10(value);
      return (place - least) / (most - least);
    }

    DoubleStream ticks() {
      return scale == Scale.LINEAR
          ? IntStream.rangeClosed(0, TICKS).mapToDouble(i -> most * i / TICKS)
          : IntStream.rangeClosed((int) least, (int) most).mapToDouble(i -> Math.pow(10, i));
    }
  }

  private Axis x() {
    return Axis.of(scale, lines, Point::x, 1);
  }

  private Axis y() {
    return Axis.of(scale, lines, Point::y, 1.05);
  }

  private int columns() {
    return lines.stream().allMatch(line -> line.name().length() <= SHORT_NAME) ? 3 : 2;
  }

  /** Rows of the legend beyond the first two make the picture higher. */
  private int bottom() {
    int rows = (lines.size() + columns() - 1) / columns();
    return BOTTOM + Math.max(0, rows - 2) * ROW;
  }

  private int height() {
    return HEIGHT - BOTTOM + bottom();
  }

  public String svg() {
    StringBuilder svg = new StringBuilder();
    svg.append(
        ("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\""
                + " font-family=\"sans-serif\" font-size=\"12\">%n")
            .formatted(WIDTH, height()));
    svg.append("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>%n".formatted(WIDTH, height()));
    svg.append(text(WIDTH / 2.0, 22, "middle", title).replace("<text", "<text font-size=\"15\""));
    axes(svg);
    for (int i = 0; i < lines.size(); i++) {
      line(svg, lines.get(i), COLOURS.get(i % COLOURS.size()), i);
    }
    return svg.append("</svg>\n").toString();
  }

  private void axes(StringBuilder svg) {
    y().ticks()
        .forEach(
            y -> {
              svg.append(
                  "<path d=\"M%s %s H%d\" stroke=\"#d0d7de\"/>%n"
                      .formatted(LEFT, place(atY(y)), WIDTH - RIGHT));
              svg.append(text(LEFT - 6, atY(y) + 4, "end", Row.number(y)));
            });
    x().ticks()
        .forEach(x -> svg.append(text(atX(x), HEIGHT - BOTTOM + 16, "middle", Row.number(x))));
    svg.append(text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - BOTTOM + 34, "middle", xLabel));
    svg.append(text(8, TOP - 8, "start", yLabel));
  }

  private void line(StringBuilder svg, Line line, String colour, int index) {
    StringBuilder path = new StringBuilder();
    for (Point point : line.points()) {
      path.append(path.isEmpty() ? "M" : "L").append(place(atX(point.x()))).append(' ');
      path.append(place(atY(point.y()))).append(' ');
    }
    svg.append(
        "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n"
            .formatted(path.toString().trim(), colour));
    int column = index % columns();
    double x = LEFT + column * LEGEND / columns();
    double y = HEIGHT - 28 + index / columns() * ROW;
    svg.append(
        "<path d=\"M%s %s h18\" stroke=\"%s\" stroke-width=\"3\"/>%n"
            .formatted(place(x), place(y - 4), colour));
    svg.append(text(x + 24, y, "start", line.name()));
  }

  private double atX(double x) {
    return LEFT + x().at(x) * (WIDTH - LEFT - RIGHT);
  }

  private double atY(double y) {
    return HEIGHT - BOTTOM - y().at(y) * (HEIGHT - TOP - BOTTOM);
  }

  private static String place(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String text(double x, double y, String anchor, String words) {
    String escaped = words.replace("&", "&amp;").replace("<", "&lt;");
    return "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>%n"
        .formatted(place(x), place(y), anchor, escaped);
  }
}
