package dev.vigil.mirror.wire;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A strict reader of JSON (RFC 8259): no duplicate members, no lone surrogates, no ill-formed
 * UTF-8, bounded depth. The caller pulls each value as what it must be.
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

  /** Takes the value of one member. */
  @FunctionalInterface
  public interface Member {
    void read(String name);
  }

  /** What kind of value comes next. */
  public enum Kind {
    OBJECT,
    ARRAY,
    STRING,
    NUMBER,
    LITERAL
  }

  /** Reads an object; {@code member} must take each value. */
  public void object(Member member) {
    open('{');
    List<String> seen = new ArrayList<>(8);
    if (!take('}')) {
      do {
        String name = string();
        if (seen.contains(name)) {
          throw Rejection.malformed("member " + printable(name) + " stands twice");
        }
        if (seen.size() == MAX_MEMBERS) {
          throw Rejection.malformed("too many members");
        }
        seen.add(name);
        expect(':');
        member.read(name);
      } while (take(','));
      expect('}');
    }
    depth--;
  }

  /** Reads an array; {@code element} must take each value. */
  public void array(Runnable element) {
    open('[');
    if (!take(']')) {
      do {
        element.run();
      } while (take(','));
      expect(']');
    }
    depth--;
  }

  public Kind next() {
    space();
    return switch (in.peek()) {
      case '{' -> Kind.OBJECT;
      case '[' -> Kind.ARRAY;
      case '"' -> Kind.STRING;
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> Kind.NUMBER;
      case 't', 'f', 'n' -> Kind.LITERAL;
      default -> throw Rejection.malformed("not JSON");
    };
  }

  public String string() {
    expect('"');
    int plain = in.distanceTo('"');
    if (plain < 0) {
      throw Rejection.malformed("a string does not end");
    }
    if (plainLength(plain) == plain) {
      String text = in.ascii(plain);
      in.skip(1);
      return text;
    }
    return unusualString();
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
      throw Rejection.malformed("above 2^53-1: " + text);
    }
    return value;
  }

  private static Rejection notAnInteger(String text) {
    return Rejection.malformed("not an integer from 0 to 2^53-1: " + printable(text));
  }

  public double number() {
    double value = Double.parseDouble(numberText());
    if (Double.isInfinite(value)) {
      throw Rejection.malformed("number out of range");
    }
    return value;
  }

  public boolean bool() {
    return switch (literal()) {
      case "true" -> true;
      case "false" -> false;
      default -> throw Rejection.malformed("not a boolean");
    };
  }

  /** Passes over one value of any kind. */
  public void skip() {
    switch (next()) {
      case OBJECT -> object(name -> skip());
      case ARRAY -> array(this::skip);
      case STRING -> string();
      case NUMBER -> numberText();
      case LITERAL -> literal();
    }
  }

  /** One value of any kind, as it stands. */
  public byte[] value() {
    space();
    int start = in.position();
    WireReader ahead = in.lookAhead(in.remaining());
    skip();
    return ahead.octets(in.position() - start);
  }

  /** Nothing but white space may follow. */
  public void end() {
    space();
    in.requireEnd("JSON");
  }

  /** What comes from outside, fit for one line of a diagnostic. */
  public static String printable(String text) {
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .limit(40)
        .forEach(c -> shown.appendCodePoint(c >= 0x20 && c < 0x7f && c != '"' ? c : '?'));
    return shown.toString();
  }

  private void open(char bracket) {
    if (++depth > MAX_DEPTH) {
      throw Rejection.malformed("nested too deeply");
    }
    expect(bracket);
  }

  private void space() {
    int c = in.peek();
    while (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
      in.skip(1);
      c = in.peek();
    }
  }

  private void expect(char wanted) {
    if (!take(wanted)) {
      throw Rejection.malformed("not JSON: expected " + wanted);
    }
  }

  private boolean take(char wanted) {
    space();
    if (in.peek() != wanted) {
      return false;
    }
    in.skip(1);
    return true;
  }

  private int plainLength(int most) {
    WireReader look = in.lookAhead(most);
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

  private String unusualString() {
    StringBuilder text = new StringBuilder();
    for (int c = in.u8(); c != '"'; c = in.u8()) {
      if (c < 0x20) {
        throw Rejection.malformed("a control character in a string");
      }
      if (c == '\\') {
        text.append(escaped());
      } else if (c < 0x80) {
        text.append((char) c);
      } else {
        text.append(utf8(beyondAscii(c)));
      }
    }
    return wellFormed(text.toString());
  }

  private byte[] beyondAscii(int first) {
    WireWriter run = new WireWriter(16).u8(first);
    while (in.peek() >= 0x80) {
      run.u8(in.u8());
    }
    return run.toOctets();
  }

  private char escaped() {
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
            throw Rejection.malformed("not an escape");
          }
          unit = unit << 4 | digit;
        }
        yield (char) unit;
      }
      default -> throw Rejection.malformed("not an escape");
    };
  }

  private static String wellFormed(String text) {
    if (text.codePoints().anyMatch(c -> c >= 0xd800 && c <= 0xdfff)) {
      throw Rejection.malformed("a lone surrogate in a string");
    }
    return text;
  }

  static String utf8(byte[] octets) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(octets))
          .toString();
    } catch (CharacterCodingException e) {
      throw Rejection.malformed("not UTF-8");
    }
  }

  private String literal() {
    space();
    int length = in.peek() == 'f' ? 5 : 4;
    String text = in.ascii(length);
    if (!text.equals("true") && !text.equals("false") && !text.equals("null")) {
      throw Rejection.malformed("not JSON");
    }
    return text;
  }

  private String numberText() {
    space();
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
      throw Rejection.malformed("not a number");
    }
    return in.ascii(length);
  }

  private static void digits(WireReader look) {
    int before = look.position();
    while (look.peek() >= '0' && look.peek() <= '9') {
      look.skip(1);
    }
    if (look.position() == before) {
      throw Rejection.malformed("not a number");
    }
  }
}
