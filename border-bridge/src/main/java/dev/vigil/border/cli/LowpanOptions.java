package dev.vigil.border.cli;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ieee802154.LinkKey;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.sixlowpan.iphc.Contexts;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The network options of both {@code decode} and {@code encode}. */
final class LowpanOptions {
  private static final String MESH = "fd00::/64";

  /** A number in hexadecimal digits. */
  static final class HexNumber implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      try {
        return Integer.parseInt(text, 16);
      } catch (NumberFormatException e) {
        throw new TypeConversionException("not hex digits: " + text);
      }
    }
  }

  @Option(names = "--fcs", description = "frames end in their FCS")
  boolean fcs;

  @Option(
      names = "--prefix",
      paramLabel = "PREFIX",
      defaultValue = MESH,
      description = "the mesh prefix, 6LoWPAN context 0 (default: ${DEFAULT-VALUE})")
  String prefix = MESH;

  @Option(
      names = "--context",
      paramLabel = "ID=PREFIX",
      description = "another 6LoWPAN context, for instance 3=2001:db8::/64; may be repeated")
  Map<Integer, String> contexts = new LinkedHashMap<>();

  @Option(
      names = "--link-key",
      paramLabel = "HEX",
      description = "the network's key, 32 hex digits")
  @Nullable String linkKey;

  Contexts contexts() {
    Map<Integer, String> all = new LinkedHashMap<>(Map.of(0, prefix));
    all.putAll(contexts);
    List<Contexts.Context> list =
        all.entrySet().stream().map(entry -> context(entry.getKey(), entry.getValue())).toList();
    return new Contexts(list);
  }

  @Nullable LinkKey key() {
    if (linkKey == null) {
      return null;
    }
    try {
      return new LinkKey(Hex.parse(linkKey));
    } catch (WireException | IllegalArgumentException e) {
      throw new TypeConversionException("--link-key must have 32 hex digits");
    }
  }

  /**
   * @param text 16 hex digits for an extended address, 4 for a short one
   */
  static LinkAddress address(String text) {
    try {
      return text.length() == 4
          ? new LinkAddress.Short(Integer.parseInt(text, 16))
          : LinkAddress.of(Eui64.parse(text));
    } catch (WireException | NumberFormatException e) {
      throw new TypeConversionException(
          "a link address must have 16 or 4 hex digits, not: " + text);
    }
  }

  private static Contexts.Context context(int id, String text) {
    int slash = text.indexOf('/');
    try {
      String address = slash < 0 ? text : text.substring(0, slash);
      int length = slash < 0 ? 64 : Integer.parseInt(text.substring(slash + 1));
      return new Contexts.Context(id, Ipv6Address.parse(address), length);
    } catch (WireException | IllegalArgumentException e) {
      throw new TypeConversionException("not a context: " + id + "=" + text);
    }
  }
}
