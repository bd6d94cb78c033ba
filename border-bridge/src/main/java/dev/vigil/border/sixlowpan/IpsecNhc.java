package dev.vigil.border.sixlowpan;

import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;

/**
 * AH and ESP headers (Raza 2011, section IV; docs/protocol.md section 9): {@code 1101 PL SPI SN NH}
 * and {@code 1110 SPI SPI SN NH}, after an extension header's NHC octet. Values without a short
 * form are written in full, so that every header can be restored. In {@code 1100} and {@code 1111}
 * the upper octets of the sequence number are elided, which only the end of the association can
 * restore.
 */
final class IpsecNhc {
  /** Octets of an ESP header. */
  static final int ESP_HEADER = 8;

  /** Octets of AH before its ICV. */
  static final int AH_FIXED = 12;

  private static final int AH = 0xd0;
  private static final int AH_ELIDED = 0xc0;
  private static final int ESP = 0xe0;
  private static final int ESP_ELIDED = 0xf0;
  private static final int KIND = 0xf0;
  private static final int NEXT_COMPRESSED = 1;

  /** The longer of a form's two sequence numbers: 4 octets, or 2 if upper octets are elided. */
  private static final int SEQUENCE_LONG = 2;

  private static final int AH_SPI_INLINE = 4;
  private static final int AH_LENGTH_INLINE = 8;
  private static final int DEFAULT_SPI = 1;

  /** AH's length field for 24 octets, with an ICV of 12 octets. */
  private static final int DEFAULT_AH_LENGTH = 4;

  private IpsecNhc() {}

  /** The header that the second NHC octet identifies. */
  enum Kind {
    AH,
    ESP
  }

  static Kind kind(int encoding) throws WireException {
    return switch (encoding & KIND) {
      case AH, AH_ELIDED -> Kind.AH;
      case ESP, ESP_ELIDED -> Kind.ESP;
      default -> throw new WireException(Drop.NHC_UNKNOWN);
    };
  }

  /** The low octets that are left of an elided sequence number; 0 for a whole number. */
  static int lowOctets(int encoding) {
    return switch (encoding & KIND) {
      case AH_ELIDED, ESP_ELIDED -> (encoding & SEQUENCE_LONG) == 0 ? 1 : 2;
      default -> 0;
    };
  }

  static boolean nextIsCompressed(int encoding) {
    return (encoding & NEXT_COMPRESSED) != 0;
  }

  /** The length in octets of the AH at the cursor, or -1 if it cannot be compressed. */
  static int ahLength(WireReader packet) throws WireException {
    WireReader in = packet.fork();
    if (in.remaining() < AH_FIXED) {
      return -1;
    }
    in.skip(1);
    int words = in.u8();
    int reserved = in.u16();
    int length = (words + 2) * 4;
    return words < 1 || reserved != 0 || packet.remaining() < length ? -1 : length;
  }

  /**
   * Compresses the AH at the cursor, whose length has been checked.
   *
   * @param lowOctets of the sequence number, 1 or 2; 0 for the whole number
   */
  static void writeAh(WireReader packet, boolean nextCompressed, int lowOctets, WireWriter out)
      throws WireException {
    int next = packet.u8();
    int words = packet.u8();
    packet.skip(2);
    long spi = packet.u32();
    long sequence = packet.u32();
    boolean defaultLength = words == DEFAULT_AH_LENGTH;
    out.u8(
        (lowOctets == 0 ? AH : AH_ELIDED)
            | (defaultLength ? 0 : AH_LENGTH_INLINE)
            | (spi == DEFAULT_SPI ? 0 : AH_SPI_INLINE)
            | sequenceForm(sequence, lowOctets)
            | (nextCompressed ? NEXT_COMPRESSED : 0));
    if (!nextCompressed) {
      out.u8(next);
    }
    if (!defaultLength) {
      out.u8(words);
    }
    if (spi != DEFAULT_SPI) {
      out.u32(spi);
    }
    writeSequence(sequence, lowOctets, out);
    packet.copyTo(out, (words + 2) * 4 - AH_FIXED);
  }

  /**
   * Restores an AH.
   *
   * @return the offset of its next header octet in {@code out}
   */
  static int readAh(int encoding, WireReader in, WireWriter out) throws WireException {
    int nextAt = out.size();
    out.u8(nextIsCompressed(encoding) ? 0 : in.u8());
    int words = (encoding & AH_LENGTH_INLINE) == 0 ? DEFAULT_AH_LENGTH : in.u8();
    if (words < 1) {
      throw new WireException(Drop.AH_LENGTH);
    }
    out.u8(words).u16(0);
    out.u32((encoding & AH_SPI_INLINE) == 0 ? DEFAULT_SPI : in.u32());
    out.u32(readSequence(encoding, in));
    in.copyTo(out, (words + 2) * 4 - AH_FIXED);
    return nextAt;
  }

  /**
   * Compresses SPI and sequence number of the ESP packet at the cursor.
   *
   * @param lowOctets of the sequence number, 1 or 2; 0 for the whole number
   */
  static void writeEsp(WireReader packet, int lowOctets, WireWriter out) throws WireException {
    long spi = packet.u32();
    long sequence = packet.u32();
    int form = spi == DEFAULT_SPI ? 0 : spi >>> 8 == 0 ? 1 : spi >>> 16 == 0 ? 2 : 3;
    int kind = lowOctets == 0 ? ESP : ESP_ELIDED;
    out.u8(kind | form << 2 | sequenceForm(sequence, lowOctets));
    switch (form) {
      case 1 -> out.u8((int) spi);
      case 2 -> out.u16((int) spi);
      case 3 -> out.u32(spi);
      default -> {}
    }
    writeSequence(sequence, lowOctets, out);
  }

  static void readEsp(int encoding, WireReader in, WireWriter out) throws WireException {
    out.u32(
        switch (encoding >> 2 & 3) {
          case 1 -> in.u8();
          case 2 -> in.u16();
          case 3 -> in.u32();
          default -> DEFAULT_SPI;
        });
    out.u32(readSequence(encoding, in));
  }

  private static int sequenceForm(long sequence, int lowOctets) {
    boolean isLong = lowOctets == 0 ? sequence >>> 16 != 0 : lowOctets == 2;
    return isLong ? SEQUENCE_LONG : 0;
  }

  private static void writeSequence(long sequence, int lowOctets, WireWriter out) {
    if (lowOctets == 1) {
      out.u8((int) sequence & 0xff);
    } else if (lowOctets == 2 || sequence >>> 16 == 0) {
      out.u16((int) sequence & 0xffff);
    } else {
      out.u32(sequence);
    }
  }

  private static long readSequence(int encoding, WireReader in) throws WireException {
    return switch (lowOctets(encoding)) {
      case 1 -> in.u8();
      case 2 -> in.u16();
      default -> (encoding & SEQUENCE_LONG) == 0 ? in.u16() : in.u32();
    };
  }
}
