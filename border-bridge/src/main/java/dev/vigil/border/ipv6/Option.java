package dev.vigil.border.ipv6;

import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * An option of a hop-by-hop or destination options header (RFC 8200, section 4.2).
 *
 * @param type with the two action bits and the change bit
 */
public record Option(int type, byte[] data) {
  static final int PAD1 = 0;
  static final int PADN = 1;

  /** Whether the option is padding. */
  public boolean isPadding() {
    return type == PAD1 || type == PADN;
  }

  /** Whether routers may change the data; an ICV then covers zeros instead. */
  public boolean isMutable() {
    return (type & 0x20) != 0;
  }

  /**
   * All options of a header, padding included.
   *
   * @param body the octets after the header's length octet
   * @throws WireException {@link Drop#OPTION_LENGTH} if an option reaches beyond the header
   */
  public static List<Option> parseAll(byte[] body) throws WireException {
    WireReader in = new WireReader(body);
    List<Option> options = new ArrayList<>();
    while (!in.isEmpty()) {
      int type = in.u8();
      if (type == PAD1) {
        options.add(new Option(PAD1, new byte[0]));
        continue;
      }
      try {
        options.add(new Option(type, in.bytes(in.u8())));
      } catch (WireException e) {
        throw new WireException(Drop.OPTION_LENGTH);
      }
    }
    return options;
  }

  /**
   * Writes the option.
   *
   * @param blank whether zeros replace its data
   */
  public void write(WireWriter out, boolean blank) {
    out.u8(type);
    if (type == PAD1) {
      return;
    }
    out.u8(data.length);
    if (blank) {
      out.zeros(data.length);
    } else {
      out.bytes(data);
    }
  }
}
