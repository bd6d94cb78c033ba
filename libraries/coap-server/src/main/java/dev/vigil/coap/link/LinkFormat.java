package dev.vigil.coap.link;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parser and writer of the link format (RFC 6690 section 2). The parser is strict: it rejects white
 * space between the parts and empty list elements. It decodes UTF-8 but not percent-encoding.
 */
public final class LinkFormat {
  /**
   * Limits on a document.
   *
   * @param octets of the document
   * @param links of the document
   * @param attributes of one link
   */
  public record Limits(int octets, int links, int attributes) {
    public static final Limits STANDARD = new Limits(65_536, 1_000, 64);

    /** For documents that were already parsed within limits. */
    public static final Limits NONE =
        new Limits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);
  }

  /** Estimated characters of one link. */
  private static final int TYPICAL_LENGTH = 64;

  /** Number of characters of a document that are encoded at a time. */
  private static final int PIECE = 16_384;

  private static final boolean[] TOKEN = lettersDigitsAnd("!#$%&'()*+-./:<=>?@[]^_`{|}~");
  private static final boolean[] NAME = lettersDigitsAnd("!#$&+-.^_`|~*");

  /** Frequent attribute names, so that links share one copy of each. */
  private static final List<String> COMMON_NAMES =
      List.of("rt", "if", "ct", "sz", Link.REL, Link.ANCHOR, "obs", "title");

  private static boolean[] lettersDigitsAnd(String marks) {
    boolean[] table = new boolean[128];
    for (char c = 0; c < table.length; c++) {
      table[c] = Character.isLetterOrDigit(c) || marks.indexOf(c) >= 0;
    }
    return table;
  }

  private LinkFormat() {}

  /**
   * @throws LinkFormatException if the document is malformed, not UTF-8 or beyond a limit
   */
  public static List<Link> parse(byte[] document, Limits limits) {
    if (document.length > limits.octets()) {
      throw new LinkFormatException("link format: more than " + limits.octets() + " octets");
    }
    return parse(text(document), limits);
  }

  private static String text(byte[] document) {
    // The fast decoder replaces malformed octets. A document that contains a replacement character
    // is therefore decoded again by the strict decoder.
    String text = new String(document, StandardCharsets.UTF_8);
    if (text.indexOf('\ufffd') < 0) {
      return text;
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(document)).toString();
    } catch (CharacterCodingException e) {
      throw new LinkFormatException("link format: not UTF-8");
    }
  }

  /**
   * @throws LinkFormatException if the document is malformed or beyond a limit
   */
  public static List<Link> parse(String document, Limits limits) {
    if (document.isEmpty()) {
      return List.of();
    }
    TextCursor cursor = new TextCursor(document);
    List<Link> links = new ArrayList<>();
    List<Link.Attribute> attributes = new ArrayList<>();
    do {
      if (links.size() == limits.links()) {
        throw cursor.malformed("more than " + limits.links() + " links");
      }
      links.add(link(cursor, attributes, limits.attributes()));
    } while (cursor.skip(','));
    if (!cursor.isAtEnd()) {
      throw cursor.malformed("',' or ';' is missing");
    }
    return List.copyOf(links);
  }

  /**
   * @param attributes a buffer, cleared and reused for each link
   */
  private static Link link(TextCursor cursor, List<Link.Attribute> attributes, int maxAttributes) {
    cursor.expect('<');
    int start = cursor.position();
    while (cursor.peek() != '>') {
      char c = cursor.next();
      if (c <= ' ' || c == '<' || c == '"' || c == 0x7f) {
        throw cursor.malformed("a character that a reference must not have");
      }
    }
    String target = cursor.since(start);
    cursor.expect('>');
    attributes.clear();
    while (cursor.skip(';')) {
      if (attributes.size() == maxAttributes) {
        throw cursor.malformed("more than " + maxAttributes + " attributes");
      }
      attributes.add(attribute(cursor));
    }
    return new Link(target, attributes);
  }

  private static Link.Attribute attribute(TextCursor cursor) {
    String name = name(cursor);
    if (name.isEmpty()) {
      throw cursor.malformed("an attribute has no name");
    }
    if (!cursor.skip('=')) {
      return new Link.Attribute(name, null, false);
    }
    if (cursor.skip('"')) {
      return new Link.Attribute(name, quoted(cursor), true);
    }
    int start = cursor.position();
    skip(cursor, TOKEN);
    String token = cursor.since(start);
    char after = cursor.peek();
    if (after != ';' && after != ',' && !cursor.isAtEnd()) {
      throw cursor.malformed("the value of attribute " + name + " needs quotes");
    }
    if (token.isEmpty()) {
      throw cursor.malformed("attribute " + name + " has no value");
    }
    return new Link.Attribute(name, token, false);
  }

  private static String quoted(TextCursor cursor) {
    int start = cursor.position();
    while (cursor.peek() != '"' && cursor.peek() != '\\') {
      requireText(cursor, cursor.next());
    }
    String plain = cursor.since(start);
    if (cursor.skip('"')) {
      return plain;
    }
    StringBuilder unescaped = new StringBuilder(plain);
    while (!cursor.skip('"')) {
      char c = cursor.next();
      unescaped.append(requireText(cursor, c == '\\' ? cursor.next() : c));
    }
    return unescaped.toString();
  }

  private static char requireText(TextCursor cursor, char c) {
    if (c < ' ' && c != '\t' || c == 0x7f) {
      throw cursor.malformed("a control character");
    }
    return c;
  }

  private static String name(TextCursor cursor) {
    int start = cursor.position();
    skip(cursor, NAME);
    for (String common : COMMON_NAMES) {
      if (cursor.isSince(start, common)) {
        return common;
      }
    }
    return cursor.since(start);
  }

  private static void skip(TextCursor cursor, boolean[] allowed) {
    while (isIn(allowed, cursor.peek())) {
      cursor.next();
    }
  }

  private static boolean isIn(boolean[] table, int c) {
    return c < table.length && table[c];
  }

  public static String write(List<Link> links) {
    StringBuilder out = new StringBuilder(TYPICAL_LENGTH * links.size());
    for (Link link : links) {
      append(out, link);
    }
    return out.toString();
  }

  /**
   * The links in UTF-8. The document is built from pieces of {@link #PIECE} octets. For a large
   * document, only the result is then larger than the garbage collector's regions, not each
   * intermediate buffer.
   */
  public static byte[] writeOctets(List<Link> links) {
    List<byte[]> pieces = new ArrayList<>();
    StringBuilder piece = new StringBuilder(Math.min(PIECE, TYPICAL_LENGTH * links.size()));
    String separator = "";
    for (Link link : links) {
      if (piece.length() >= PIECE) {
        pieces.add(piece.toString().getBytes(StandardCharsets.UTF_8));
        piece.setLength(0);
      }
      write(piece.append(separator), link);
      separator = ",";
    }
    pieces.add(piece.toString().getBytes(StandardCharsets.UTF_8));
    return joined(pieces);
  }

  /** The number of characters of a link and the comma after it, without escape characters. */
  public static int length(Link link) {
    int length = "<>,".length() + link.target().length();
    for (Link.Attribute attribute : link.attributes()) {
      length += attributeLength(attribute.name(), attribute.text());
    }
    return length;
  }

  /** The maximum number of characters of an attribute, without escape characters. */
  public static int attributeLength(String name, String value) {
    return ";=\"\"".length() + name.length() + value.length();
  }

  private static byte[] joined(List<byte[]> pieces) {
    ByteBuffer document = ByteBuffer.allocate(pieces.stream().mapToInt(p -> p.length).sum());
    pieces.forEach(document::put);
    return document.array();
  }

  /** Appends a link, after a comma unless it is the first. */
  public static void append(StringBuilder out, Link link) {
    if (!out.isEmpty()) {
      out.append(',');
    }
    write(out, link);
  }

  private static void write(StringBuilder out, Link link) {
    out.append('<').append(link.target()).append('>');
    for (Link.Attribute attribute : link.attributes()) {
      append(out, attribute.name(), attribute.value(), attribute.quoted());
    }
  }

  private static void append(
      StringBuilder out, String name, @Nullable String value, boolean quoted) {
    out.append(';').append(name);
    if (value == null) {
      return;
    }
    out.append('=');
    if (!quoted) {
      out.append(value);
      return;
    }
    out.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\');
      }
      out.append(c);
    }
    out.append('"');
  }

  /** Whether a value may be written without quotes. */
  public static boolean isToken(String value) {
    for (int i = 0; i < value.length(); i++) {
      if (!isIn(TOKEN, value.charAt(i))) {
        return false;
      }
    }
    return !value.isEmpty();
  }
}
