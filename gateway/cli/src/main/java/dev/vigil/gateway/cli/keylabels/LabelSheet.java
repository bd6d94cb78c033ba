package dev.vigil.gateway.cli.keylabels;

import io.nayuki.qrcodegen.QrCode;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Draws A4 sheets of labels as SVG, in millimetres. The grid is that of ready-made sheets with 21
 * labels of 63.5 mm by 38.1 mm.
 */
final class LabelSheet {
  static final int LABELS = 21;

  private static final int COLUMNS = 3;
  private static final double WIDTH = 63.5;
  private static final double HEIGHT = 38.1;
  private static final double GAP = 2.5;
  private static final double LEFT = 7.25;
  private static final double TOP = 15.15;

  /** The QR code with its white border. */
  private static final double CODE = 31;

  private static final int BORDER_MODULES = 4;
  private static final double LINE = 3.6;
  private static final double FONT = 2.8 / LINE;
  private static final double TEXT_TOP = 5.5;
  private static final double TEXT_HEIGHT = 30;

  /** Letters in a line of the text, each 0.6 em wide. */
  private static final int LETTERS = 17;

  private static final int GROUPS_IN_LINE = 3;

  private LabelSheet() {}

  /**
   * @param labels at most {@link #LABELS} less {@code first}
   * @param first places of the sheet that stay empty
   */
  static String svg(List<KeyLabel> labels, int first, @Nullable URI page) {
    StringBuilder svg = new StringBuilder();
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm" viewBox="0 0 210 297">
        <rect width="210" height="297" fill="#fff"/>
        """);
    for (int i = 0; i < labels.size(); i++) {
      int place = first + i;
      double x = LEFT + place % COLUMNS * (WIDTH + GAP);
      double y = TOP + place / COLUMNS * HEIGHT;
      // A nested image clips what does not fit.
      svg.append(
          format(
              "<svg x=\"%.2f\" y=\"%.2f\" width=\"%.1f\" height=\"%.1f\">%n", x, y, WIDTH, HEIGHT));
      code(svg, labels.get(i).text(page));
      text(svg, labels.get(i));
      svg.append("</svg>\n");
    }
    return svg.append("</svg>\n").toString();
  }

  private static void code(StringBuilder svg, String text) {
    QrCode code = QrCode.encodeText(text, QrCode.Ecc.MEDIUM);
    int modules = code.size + 2 * BORDER_MODULES;
    svg.append(
        format(
            "<svg x=\"1\" y=\"3.5\" width=\"%.1f\" height=\"%.1f\" viewBox=\"0 0 %d %d\""
                + " shape-rendering=\"crispEdges\"><path d=\"",
            CODE, CODE, modules, modules));
    for (int y = 0; y < code.size; y++) {
      for (int x = 0; x < code.size; x++) {
        if (code.getModule(x, y)) {
          svg.append('M').append(x + BORDER_MODULES).append(' ').append(y + BORDER_MODULES);
          svg.append("h1v1h-1z");
        }
      }
    }
    svg.append("\"/></svg>\n");
  }

  private static void text(StringBuilder svg, KeyLabel label) {
    List<Line> lines = new ArrayList<>();
    wrapped(label.ep(), "font-weight=\"bold\"", lines);
    wrapped(label.d(), "fill=\"#444\"", lines);
    List<String> groups = label.groups();
    for (int at = 0; at < groups.size(); at += GROUPS_IN_LINE) {
      List<String> some = groups.subList(at, Math.min(groups.size(), at + GROUPS_IN_LINE));
      lines.add(new Line(String.join(" ", some), ""));
    }
    // Long names make the text smaller, because the whole thumbprint must be readable.
    double height = Math.min(LINE, TEXT_HEIGHT / lines.size());
    svg.append(
        format(
            "<text y=\"%.1f\" font-family=\"monospace\" font-size=\"%.2f\">",
            TEXT_TOP, height * FONT));
    lines.forEach(line -> svg.append(line.tspan(height)));
    svg.append("</text>\n");
  }

  private static void wrapped(@Nullable String text, String look, List<Line> lines) {
    int[] letters = text == null ? new int[0] : text.codePoints().toArray();
    for (int at = 0; at < letters.length; at += LETTERS) {
      lines.add(new Line(new String(letters, at, Math.min(LETTERS, letters.length - at)), look));
    }
  }

  private record Line(String text, String look) {
    String tspan(double height) {
      return format(
          "<tspan x=\"%.1f\" dy=\"%.2f\" %s>%s</tspan>", CODE + 1.5, height, look, escaped(text));
    }
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
