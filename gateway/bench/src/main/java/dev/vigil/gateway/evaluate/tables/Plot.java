package dev.vigil.gateway.evaluate.tables;

import java.util.List;
import java.util.Locale;

/**
 * A line chart, drawn as SVG without scripts or embedded fonts.
 *
 * @param file its name
 */
public record Plot(String file, String title, String xLabel, String yLabel, List<Line> lines) {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 400;
  private static final int LEFT = 70;
  private static final int RIGHT = 20;
  private static final int TOP = 40;
  private static final int BOTTOM = 80;
  private static final int TICKS = 5;
  private static final List<String> COLOURS =
      List.of("#1f6feb", "#d1242f", "#1a7f37", "#8250df", "#bc4c00", "#57606a");

  /** The points of one line, in ascending x. */
  public record Line(String name, List<Point> points) {}

  /** A point in the units of the axes. */
  public record Point(double x, double y) {}

  private double maxX() {
    return lines.stream().flatMap(l -> l.points().stream()).mapToDouble(Point::x).max().orElse(1);
  }

  private double maxY() {
    double max =
        lines.stream().flatMap(l -> l.points().stream()).mapToDouble(Point::y).max().orElse(1);
    return max > 0 ? max * 1.05 : 1;
  }

  String svg() {
    StringBuilder svg = new StringBuilder();
    svg.append(
        ("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\""
                + " font-family=\"sans-serif\" font-size=\"12\">%n")
            .formatted(WIDTH, HEIGHT));
    svg.append("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>%n".formatted(WIDTH, HEIGHT));
    svg.append(text(WIDTH / 2.0, 22, "middle", title).replace("<text", "<text font-size=\"15\""));
    axes(svg);
    for (int i = 0; i < lines.size(); i++) {
      line(svg, lines.get(i), COLOURS.get(i % COLOURS.size()), i);
    }
    return svg.append("</svg>\n").toString();
  }

  private void axes(StringBuilder svg) {
    for (int i = 0; i <= TICKS; i++) {
      double x = maxX() * i / TICKS;
      double y = maxY() * i / TICKS;
      svg.append(
          "<path d=\"M%s %s H%d\" stroke=\"#d0d7de\"/>%n"
              .formatted(LEFT, place(atY(y)), WIDTH - RIGHT));
      svg.append(text(LEFT - 6, atY(y) + 4, "end", Row.number(y)));
      svg.append(text(atX(x), HEIGHT - BOTTOM + 16, "middle", Row.number(x)));
    }
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
    int column = index % 3;
    double x = LEFT + column * 190;
    double y = HEIGHT - 28 + index / 3 * 18;
    svg.append(
        "<path d=\"M%s %s h18\" stroke=\"%s\" stroke-width=\"3\"/>%n"
            .formatted(place(x), place(y - 4), colour));
    svg.append(text(x + 24, y, "start", line.name()));
  }

  private double atX(double x) {
    return LEFT + x / maxX() * (WIDTH - LEFT - RIGHT);
  }

  private double atY(double y) {
    return HEIGHT - BOTTOM - y / maxY() * (HEIGHT - TOP - BOTTOM);
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
