package dev.vigil.border.tun;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.tun.PacketFilter.Prefix;
import dev.vigil.border.tun.PacketFilter.Rule;
import dev.vigil.border.tun.PacketFilter.Way;
import dev.vigil.border.wire.WireException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** Reads a rule as {@link PacketFilter.Rule#of} has it. */
final class FilterText {
  private static final int LAST_PORT = 0xffff;
  private static final int ADDRESS_BITS = 128;

  private final String line;
  private final Deque<String> words;

  private FilterText(String line) {
    this.line = line;
    this.words = new ArrayDeque<>(Arrays.asList(line.strip().split("\\s+")));
  }

  /**
   * @throws IllegalArgumentException naming the word that is wrong
   */
  static Rule parse(String line) {
    FilterText text = new FilterText(line);
    boolean allow = text.allow();
    Way way = text.way();
    Traffic traffic = text.traffic();
    Prefix from = text.prefix("from");
    Prefix to = text.prefix("to");
    if (!text.words.isEmpty()) {
      throw text.wrong("\"from PREFIX\", then \"to PREFIX\" or nothing", text.words.getFirst());
    }
    return new Rule(allow, way, traffic, from, to);
  }

  private boolean allow() {
    String word = word();
    return switch (word) {
      case "allow" -> true;
      case "deny" -> false;
      default -> throw wrong("allow or deny", word);
    };
  }

  private Way way() {
    String word = word();
    return switch (word) {
      case "in" -> Way.IN;
      case "out" -> Way.OUT;
      case "both" -> Way.BOTH;
      default -> throw wrong("in, out or both", word);
    };
  }

  private Traffic traffic() {
    String word = word();
    return switch (word) {
      case "any" -> Traffic.ANY;
      case "echo" -> Traffic.ECHO;
      case "esp" -> Traffic.ESP;
      case "ah" -> Traffic.AH;
      case "udp" -> ports(Protocol.UDP);
      case "tcp" -> ports(Protocol.TCP);
      default ->
          new Traffic.Numbered(number(word, 255, "any, echo, esp, ah, udp, tcp or a number"));
    };
  }

  private Traffic ports(int protocol) {
    String word = words.peekFirst();
    if (word == null || !Character.isDigit(word.charAt(0))) {
      return new Traffic.Numbered(protocol);
    }
    words.removeFirst();
    int dash = word.indexOf('-');
    int first = number(dash < 0 ? word : word.substring(0, dash), LAST_PORT, "a port");
    int last = dash < 0 ? first : number(word.substring(dash + 1), LAST_PORT, "a port");
    if (last < first) {
      throw wrong("a range of ports that does not end before it begins", word);
    }
    return new Traffic.Ports(protocol, first, last);
  }

  private Prefix prefix(String before) {
    if (!before.equals(words.peekFirst())) {
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

  private int number(String word, int most, String takes) {
    if (word.matches("[0-9]{1,5}") && Integer.parseInt(word) <= most) {
      return Integer.parseInt(word);
    }
    throw wrong(takes + " up to " + most, word);
  }

  private String word() {
    String word = words.pollFirst();
    return word == null ? "" : word;
  }

  private IllegalArgumentException wrong(String takes, String word) {
    return new IllegalArgumentException(
        "\"%s\": %s is expected where \"%s\" stands".formatted(line, takes, word));
  }
}
