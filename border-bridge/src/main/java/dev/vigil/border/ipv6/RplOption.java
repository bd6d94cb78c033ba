package dev.vigil.border.ipv6;

import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;
import java.util.List;
import java.util.Optional;

/**
 * The RPL option of a data packet (RFC 6553, section 3; type 0x23: RFC 9008).
 *
 * @param flags O 0x80, R 0x40, F 0x20
 * @param instance 0 to 255
 * @param senderRank 0 to 0xffff
 */
public record RplOption(int flags, int instance, int senderRank) {
  public static final int TYPE = 0x63;
  public static final int TYPE_OF_RFC_9008 = 0x23;

  private static final int LENGTH = 4;

  /** The RPL option of a hop-by-hop header, if it has one. Sub-TLVs are ignored. */
  public static Optional<RplOption> find(ExtensionHeader.HopByHop header) throws WireException {
    for (Option option : Option.parseAll(header.body())) {
      if (isRpl(option)) {
        if (option.data().length < LENGTH) {
          throw new WireException(Drop.OPTION_LENGTH);
        }
        WireReader in = new WireReader(option.data());
        return Optional.of(new RplOption(in.u8(), in.u8(), in.u16()));
      }
    }
    return Optional.empty();
  }

  /** Whether the header holds only the RPL option and padding: the root removes such a header. */
  public static boolean isOnlyOption(ExtensionHeader.HopByHop header) throws WireException {
    List<Option> options =
        Option.parseAll(header.body()).stream().filter(option -> !option.isPadding()).toList();
    return options.size() == 1 && isRpl(options.getFirst());
  }

  /** A hop-by-hop header with only this option: eight octets, as Contiki-NG requires. */
  public ExtensionHeader.HopByHop header() {
    return new ExtensionHeader.HopByHop(
        new WireWriter(2 + LENGTH)
            .u8(TYPE)
            .u8(LENGTH)
            .u8(flags)
            .u8(instance)
            .u16(senderRank)
            .toBytes());
  }

  private static boolean isRpl(Option option) {
    return option.type() == TYPE || option.type() == TYPE_OF_RFC_9008;
  }
}
