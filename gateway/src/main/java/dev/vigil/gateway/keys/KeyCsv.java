package dev.vigil.gateway.keys;

import dev.vigil.mirror.ListedKey;
import dev.vigil.mirror.jose.Jwk;
import dev.vigil.mirror.wire.Rejection;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Reads keys from a table (RFC 4180) whose first line names the columns: {@code jkt}, or {@code x}
 * and {@code y} with {@code crv}; {@code ep} and {@code d}. Commas or semicolons, quotes where
 * needed; no line breaks within a field. Empty lines are passed over.
 */
final class KeyCsv {
  private static final Set<String> COLUMNS = Set.of("jkt", "crv", "x", "y", "ep", "d");

  private final List<String> columns;
  private final char between;
  private final String domain;

  private KeyCsv(String header, String domain) {
    this.between = header.indexOf(';') >= 0 ? ';' : ',';
    this.domain = domain;
    this.columns =
        fields(1, header).stream().map(name -> name.strip().toLowerCase(Locale.ROOT)).toList();
    for (String column : columns) {
      if (!COLUMNS.contains(column)) {
        throw wrong(1, "\"" + column + "\" is no column; there are jkt, crv, x, y, ep and d");
      }
    }
    if (Set.copyOf(columns).size() < columns.size()) {
      throw wrong(1, "a column stands there twice");
    }
    if (!columns.contains("jkt") && !columns.contains("x")) {
      throw wrong(1, "the columns are jkt, or x and y; ep and d besides");
    }
  }

  /**
   * @throws dev.vigil.directory.exchange.ExchangeException 4.00, naming the line
   */
  static List<ListedKey> read(byte[] body, String domain) {
    List<String> lines = text(body).lines().toList();
    if (lines.isEmpty()) {
      throw wrong(1, "the columns are missing");
    }
    KeyCsv csv = new KeyCsv(lines.getFirst(), domain);
    Importing importing = new Importing();
    for (int i = 1; i < lines.size(); i++) {
      if (!lines.get(i).isBlank()) {
        importing.add("line " + (i + 1), csv.key(i + 1, lines.get(i)));
      }
    }
    return importing.keys();
  }

  private static String text(byte[] body) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
      // Spreadsheets put a byte order mark in front.
      return text.startsWith("\ufeff") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw wrong(1, "the table is not UTF-8");
    }
  }

  private ListedKey key(int line, String text) {
    List<String> fields = fields(line, text);
    if (fields.size() != columns.size()) {
      throw wrong(line, "%d fields, not %d".formatted(fields.size(), columns.size()));
    }
    String d = field(fields, "d");
    if (columns.contains("d") && !d.isEmpty() && !d.equals(domain)) {
      throw wrong(line, "it is for another domain, \"" + d + "\"");
    }
    String ep = Importing.name("line " + line, field(fields, "ep"));
    String jkt = field(fields, "jkt");
    String x = field(fields, "x");
    try {
      if (x.isEmpty()) {
        return new ListedKey(jkt, null, ep);
      }
      ListedKey key = ListedKey.of(jwk(field(fields, "crv"), x, field(fields, "y")), ep);
      if (!jkt.isEmpty() && !jkt.equals(key.jkt())) {
        throw wrong(line, "jkt is not the thumbprint of x and y, which is " + key.jkt());
      }
      return key;
    } catch (Rejection e) {
      throw wrong(line, e.line());
    } catch (IllegalArgumentException e) {
      throw wrong(line, "jkt: " + e.getMessage());
    }
  }

  /** What is no base64url or no curve is refused where any JWK is read. */
  private static Jwk jwk(String told, String x, String y) {
    String crv = !told.isEmpty() ? told : y.isEmpty() ? "Ed25519" : "P-256";
    for (String part : List.of(crv, x, y)) {
      if (!part.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '"' && c != '\\')) {
        throw Rejection.malformed("a coordinate is not base64url");
      }
    }
    String json =
        y.isEmpty()
            ? "{\"kty\":\"OKP\",\"crv\":\"%s\",\"x\":\"%s\"}".formatted(crv, x)
            : "{\"kty\":\"EC\",\"crv\":\"%s\",\"x\":\"%s\",\"y\":\"%s\"}".formatted(crv, x, y);
    return Jwk.parse(json.getBytes(StandardCharsets.US_ASCII));
  }

  private String field(List<String> fields, String column) {
    int at = columns.indexOf(column);
    return at < 0 ? "" : fields.get(at).strip();
  }

  private List<String> fields(int line, String text) {
    List<String> fields = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' && quoted && i + 1 < text.length() && text.charAt(i + 1) == '"') {
        field.append(c);
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == between && !quoted) {
        fields.add(field.toString());
        field.setLength(0);
      } else {
        field.append(c);
      }
    }
    if (quoted) {
      throw wrong(line, "a quote is not closed");
    }
    fields.add(field.toString());
    return fields;
  }

  private static dev.vigil.directory.exchange.ExchangeException wrong(int line, String what) {
    return Importing.wrong("line " + line, what);
  }
}
