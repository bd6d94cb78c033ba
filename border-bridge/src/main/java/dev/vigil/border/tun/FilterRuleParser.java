package dev.vigil.border.tun;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.tun.PacketFilter.Direction;
import dev.vigil.border.tun.PacketFilter.Prefix;
import dev.vigil.border.tun.PacketFilter.Rule;
import dev.vigil.border.wire.WireException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** Parses the text form of a filter rule, see {@link PacketFilter.Rule#of}. */
final class FilterRuleParser {
  private static final int LAST_PORT = 0xffff;
  private static final int ADDRESS_BITS = 128;

  private final String line;
  private final Deque<String> words;

  private FilterRuleParser(String line) {
    this.line = line;
    this.words = new ArrayDeque<>(Arrays.asList(line.strip().split("\\s+")));
  }

  /**
   * @throws IllegalArgumentException naming the wrong word
   */
  static Rule parse(String line) {
    FilterRuleParser parser = new FilterRuleParser(line);
    boolean allow = parser.allow();
    Direction direction = parser.direction();
    TrafficSelector traffic = parser.traffic();
    Prefix from = parser.prefix("from");
    Prefix to = parser.prefix("to");
    if (!parser.words.isEmpty()) {
      throw parser.wrong("\"from PREFIX\", then \"to PREFIX\" or nothing", parser.words.getFirst());
    }
    return new Rule(allow, direction, traffic, from, to);
  }

  private boolean allow() {
    String word = word();
    return switch (word) {
      case "allow" -> true;
      case "deny" -> false;
      default -> throw wrong("allow or deny", word);
    };
  }

  private Direction direction() {
    String word = word();
    return switch (word) {
      case "in" -> Direction.IN;
      case "out" -> Direction.OUT;
      case "both" -> Direction.BOTH;
      default -> throw wrong("in, out or both", word);
    };
  }

  private TrafficSelector traffic() {
    String word = word();
    return switch (word) {
      case "any" -> TrafficSelector.ANY;
      case "echo" -> TrafficSelector.ECHO;
      case "esp" -> TrafficSelector.ESP;
      case "ah" -> TrafficSelector.AH;
      case "udp" -> ports(Protocol.UDP);
      case "tcp" -> ports(Protocol.TCP);
      default ->
          new TrafficSelector.Numbered(
              number(word, 255, "any, echo, esp, ah, udp, tcp or a number"));
    };
  }

  private TrafficSelector ports(int protocol) {
    String word = words.peekFirst();
    if (word == null || !Character.isDigit(word.charAt(0))) {
      return new TrafficSelector.Numbered(protocol);
    }
    words.removeFirst();
    int dash = word.indexOf('-');
    int first = number(dash < 0 ? word : word.substring(0, dash), LAST_PORT, "a port");
    int last = dash < 0 ? first : number(word.substring(dash + 1), LAST_PORT, "a port");
    if (last < first) {
      throw wrong("a range of ports in ascending order", word);
    }
    return new TrafficSelector.Ports(protocol, first, last);
  }

  private Prefix prefix(String keyword) {
    if (!keyword.equals(words.peekFirst())) {
      return Prefix.EVERYWHERE;
    }
    words.removeFirst();
    String word = word();
    int slash = word.indexOf('/');
    try {
      Ipv6Address address = Ipv6Address.parse(slash < 0 ? word : word.substring(0, slash));
      int bits =
          slash < 0 ? ADDRESS_BITS : number(word.substring(slash + 1), ADDRESS_BITS, "a length");
      return new Prefix(address, bits);
    } catch (WireException e) {
      throw wrong("an IPv6 address or prefix such as 2001:db8::/32", word);
    }
  }

  private int number(String word, int max, String expected) {
    if (word.matches("[0-9]{1,5}") && Integer.parseInt(word) <= max) {
      return Integer.parseInt(word);
    }
    throw wrong(expected + " up to " + max, word);
  }

  private String word() {
    String word = words.pollFirst();
    return word == null ? "" : word;
  }

  private IllegalArgumentException wrong(String expected, String word) {
    return new IllegalArgumentException(
        "\"%s\": expected %s instead of \"%s\"".formatted(line, expected, word));
  }
}
