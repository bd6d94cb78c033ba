package dev.vigil.signed.json;

import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.wire.Utf8;
import dev.vigil.signed.wire.WireReader;
import dev.vigil.signed.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * A strict pull reader of JSON (RFC 8259): it refuses duplicate members, lone surrogates,
 * ill-formed UTF-8 and deep nesting. The caller reads each value as the type that it must have.
 */
public final class JsonReader {
  /** The largest integer that every JSON reader holds exactly (RFC 8259 section 6). */
  public static final long MAX_INTEGER = (1L << 53) - 1;

  private static final int MAX_DEPTH = 8;
  private static final int MAX_MEMBERS = 64;
  private static final int MAX_NUMBER = 64;

  private final WireReader in;
  private int depth;

  public JsonReader(WireReader in) {
    this.in = in;
  }

  /** Reads the value of one member. */
  @FunctionalInterface
  public interface Member {
    void read(String name);
  }

  /** The kind of a value, by its first character. */
  public enum Kind {
    OBJECT,
    ARRAY,
    STRING,
    NUMBER,
    LITERAL
  }

  /** Reads an object; {@code member} must read each value. */
  public void object(Member member) {
    open('{');
    List<String> seen = new ArrayList<>(8);
    if (!accept('}')) {
      do {
        String name = string();
        if (seen.contains(name)) {
          throw SignedObjectException.malformed("member " + printable(name) + " occurs twice");
        }
        if (seen.size() == MAX_MEMBERS) {
          throw SignedObjectException.malformed("too many members");
        }
        seen.add(name);
        expect(':');
        member.read(name);
      } while (accept(','));
      expect('}');
    }
    depth--;
  }

  /** Reads an array; {@code element} must read each value. */
  public void array(Runnable element) {
    open('[');
    if (!accept(']')) {
      do {
        element.run();
      } while (accept(','));
      expect(']');
    }
    depth--;
  }

  public Kind next() {
    skipWhitespace();
    return switch (in.peek()) {
      case '{' -> Kind.OBJECT;
      case '[' -> Kind.ARRAY;
      case '"' -> Kind.STRING;
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> Kind.NUMBER;
      case 't', 'f', 'n' -> Kind.LITERAL;
      default -> throw SignedObjectException.malformed("not JSON");
    };
  }

  public String string() {
    expect('"');
    int plain = in.distanceTo('"');
    if (plain < 0) {
      throw SignedObjectException.malformed("unterminated string");
    }
    if (plainLength(plain) == plain) {
      String text = in.ascii(plain);
      in.skip(1);
      return text;
    }
    return escapedString();
  }

  /** A non-negative integer without fraction or exponent, at most {@link #MAX_INTEGER}. */
  public long integer() {
    String text = numberText();
    if (text.length() > 16) {
      throw notAnInteger(text);
    }
    long value = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        throw notAnInteger(text);
      }
      value = value * 10 + digit;
    }
    if (value > MAX_INTEGER) {
      throw SignedObjectException.malformed("above 2^53-1: " + text);
    }
    return value;
  }

  private static SignedObjectException notAnInteger(String text) {
    return SignedObjectException.malformed("not an integer from 0 to 2^53-1: " + printable(text));
  }

  public double number() {
    double value = Double.parseDouble(numberText());
    if (Double.isInfinite(value)) {
      throw SignedObjectException.malformed("number out of range");
    }
    return value;
  }

  public boolean bool() {
    return switch (literal()) {
      case "true" -> true;
      case "false" -> false;
      default -> throw SignedObjectException.malformed("not a boolean");
    };
  }

  /** Skips one value of any kind. */
  public void skip() {
    switch (next()) {
      case OBJECT -> object(name -> skip());
      case ARRAY -> array(this::skip);
      case STRING -> string();
      case NUMBER -> numberText();
      case LITERAL -> literal();
    }
  }

  /** The octets of one value of any kind. */
  public byte[] value() {
    skipWhitespace();
    int start = in.position();
    WireReader ahead = in.lookAhead(in.remaining());
    skip();
    return ahead.octets(in.position() - start);
  }

  /** Refuses anything but white space up to the end. */
  public void end() {
    skipWhitespace();
    in.requireEnd("JSON");
  }

  /**
   * Received text, shortened and with unprintable characters replaced, for one line of a
   * diagnostic.
   */
  public static String printable(String text) {
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .limit(40)
        .forEach(c -> shown.appendCodePoint(c >= 0x20 && c < 0x7f && c != '"' ? c : '?'));
    return shown.toString();
  }

  private void open(char bracket) {
    if (++depth > MAX_DEPTH) {
      throw SignedObjectException.malformed("nested too deeply");
    }
    expect(bracket);
  }

  private void skipWhitespace() {
    int c = in.peek();
    while (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
      in.skip(1);
      c = in.peek();
    }
  }

  private void expect(char wanted) {
    if (!accept(wanted)) {
      throw SignedObjectException.malformed("not JSON: expected " + wanted);
    }
  }

  private boolean accept(char wanted) {
    skipWhitespace();
    if (in.peek() != wanted) {
      return false;
    }
    in.skip(1);
    return true;
  }

  /** The number of octets, up to a limit, before the first one that is escaped or not ASCII. */
  private int plainLength(int limit) {
    WireReader look = in.lookAhead(limit);
    int length = 0;
    while (!look.atEnd()) {
      int c = look.u8();
      if (c < 0x20 || c >= 0x80 || c == '\\') {
        return length;
      }
      length++;
    }
    return length;
  }

  private String escapedString() {
    StringBuilder text = new StringBuilder();
    for (int c = in.u8(); c != '"'; c = in.u8()) {
      if (c < 0x20) {
        throw SignedObjectException.malformed("a control character in a string");
      }
      if (c == '\\') {
        text.append(escape());
      } else if (c < 0x80) {
        text.append((char) c);
      } else {
        text.append(Utf8.decode(nonAsciiRun(c)));
      }
    }
    return wellFormed(text.toString());
  }

  private byte[] nonAsciiRun(int first) {
    WireWriter run = new WireWriter(16).u8(first);
    while (in.peek() >= 0x80) {
      run.u8(in.u8());
    }
    return run.toOctets();
  }

  private char escape() {
    int c = in.u8();
    return switch (c) {
      case '"', '\\', '/' -> (char) c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        int unit = 0;
        for (int i = 0; i < 4; i++) {
          int digit = Character.digit(in.u8(), 16);
          if (digit < 0) {
            throw SignedObjectException.malformed("invalid escape sequence");
          }
          unit = unit << 4 | digit;
        }
        yield (char) unit;
      }
      default -> throw SignedObjectException.malformed("invalid escape sequence");
    };
  }

  private static String wellFormed(String text) {
    if (text.codePoints().anyMatch(c -> c >= 0xd800 && c <= 0xdfff)) {
      throw SignedObjectException.malformed("a lone surrogate in a string");
    }
    return text;
  }

  private String literal() {
    skipWhitespace();
    int length = in.peek() == 'f' ? 5 : 4;
    String text = in.ascii(length);
    if (!text.equals("true") && !text.equals("false") && !text.equals("null")) {
      throw SignedObjectException.malformed("not JSON");
    }
    return text;
  }

  private String numberText() {
    skipWhitespace();
    WireReader look = in.lookAhead(in.remaining());
    if (look.peek() == '-') {
      look.skip(1);
    }
    if (look.peek() == '0') {
      look.skip(1);
    } else {
      digits(look);
    }
    if (look.peek() == '.') {
      look.skip(1);
      digits(look);
    }
    if (look.peek() == 'e' || look.peek() == 'E') {
      look.skip(1);
      if (look.peek() == '+' || look.peek() == '-') {
        look.skip(1);
      }
      digits(look);
    }
    int length = look.position() - in.position();
    if (length > MAX_NUMBER) {
      throw SignedObjectException.malformed("not a number");
    }
    return in.ascii(length);
  }

  private static void digits(WireReader look) {
    int before = look.position();
    while (look.peek() >= '0' && look.peek() <= '9') {
      look.skip(1);
    }
    if (look.position() == before) {
      throw SignedObjectException.malformed("not a number");
    }
  }
}
