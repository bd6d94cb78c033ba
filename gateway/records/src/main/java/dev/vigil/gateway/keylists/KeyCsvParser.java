package dev.vigil.gateway.keylists;

import dev.vigil.mirror.model.keys.ListedKey;
import dev.vigil.mirror.trust.JwkCodec;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.jose.Jwk;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Reads keys from CSV (RFC 4180). The first line names the columns: {@code jkt}, or {@code x} and
 * {@code y} with {@code crv}; {@code ep} and {@code d}. Fields are separated by commas or
 * semicolons and may be quoted, but contain no line breaks. Empty lines are skipped.
 */
final class KeyCsvParser {
  private static final Set<String> COLUMNS = Set.of("jkt", "crv", "x", "y", "ep", "d");

  private final List<String> columns;
  private final char separator;
  private final String domain;

  private KeyCsvParser(String header, String domain) {
    this.separator = header.indexOf(';') >= 0 ? ';' : ',';
    this.domain = domain;
    this.columns =
        fields(1, header).stream().map(name -> name.strip().toLowerCase(Locale.ROOT)).toList();
    for (String column : columns) {
      if (!COLUMNS.contains(column)) {
        throw invalid(1, "unknown column \"" + column + "\"; known are jkt, crv, x, y, ep and d");
      }
    }
    if (Set.copyOf(columns).size() < columns.size()) {
      throw invalid(1, "a column is named twice");
    }
    if (!columns.contains("jkt") && !columns.contains("x")) {
      throw invalid(1, "the columns must include jkt, or x and y; ep and d are optional");
    }
  }

  /**
   * @throws KeyListException naming the line
   */
  static List<ListedKey> read(byte[] body, String domain) {
    List<String> lines = text(body).lines().toList();
    if (lines.isEmpty()) {
      throw invalid(1, "the line of column names is missing");
    }
    KeyCsvParser csv = new KeyCsvParser(lines.getFirst(), domain);
    KeyListBuilder list = new KeyListBuilder();
    for (int i = 1; i < lines.size(); i++) {
      int number = i + 1;
      String line = lines.get(i);
      if (!line.isBlank()) {
        list.attempt(() -> list.add("line " + number, csv.key(number, line)));
      }
    }
    return list.keys();
  }

  private static String text(byte[] body) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
      // Spreadsheets write a byte order mark.
      return text.startsWith("\ufeff") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw invalid(1, "the table is not UTF-8");
    }
  }

  private ListedKey key(int line, String text) {
    List<String> fields = fields(line, text);
    if (fields.size() != columns.size()) {
      throw invalid(line, "%d fields where %d belong".formatted(fields.size(), columns.size()));
    }
    String d = field(fields, "d");
    if (columns.contains("d") && !d.isEmpty() && !d.equals(domain)) {
      String ofList = domain.isEmpty() ? "the one without a name" : "\"" + domain + "\"";
      throw invalid(line, "the key is for domain \"" + d + "\", but the list for " + ofList);
    }
    String ep = KeyListBuilder.name("line " + line, field(fields, "ep"));
    String jkt = field(fields, "jkt");
    String x = field(fields, "x");
    try {
      if (x.isEmpty()) {
        ListedKey listed = new ListedKey(jkt, null, ep);
        if (!ListedKey.isThumbprint(jkt)) {
          throw invalid(line, "no key has the thumbprint " + jkt + "; compare its letters again");
        }
        return listed;
      }
      ListedKey key = ListedKey.of(jwk(field(fields, "crv"), x, field(fields, "y")), ep);
      if (!jkt.isEmpty() && !jkt.equals(key.jkt())) {
        throw invalid(line, "jkt is not the thumbprint of x and y, which is " + key.jkt());
      }
      return key;
    } catch (SignedObjectException e) {
      throw invalid(line, e.line());
    } catch (IllegalArgumentException e) {
      throw invalid(line, "jkt: " + e.getMessage());
    }
  }

  private static Jwk jwk(String curve, String x, String y) {
    String crv = !curve.isEmpty() ? curve : y.isEmpty() ? "Ed25519" : "P-256";
    return JwkCodec.read(
        y.isEmpty()
            ? Map.of("kty", "OKP", "crv", crv, "x", x)
            : Map.of("kty", "EC", "crv", crv, "x", x, "y", y));
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
      } else if (c == separator && !quoted) {
        fields.add(field.toString());
        field.setLength(0);
      } else {
        field.append(c);
      }
    }
    if (quoted) {
      throw invalid(line, "a quote is not closed");
    }
    fields.add(field.toString());
    return fields;
  }

  private static KeyListException invalid(int line, String reason) {
    return KeyListException.at("line " + line, reason);
  }
}
