package dev.vigil.border.capture;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * The blocks of a pcapng file (draft-ietf-opsawg-pcapng), little-endian, one interface per {@link
 * LinkType} with its ordinal as its number, timestamps in nanoseconds.
 */
public final class Pcapng {
  private static final int SECTION_HEADER = 0x0A0D0D0A;
  private static final int BYTE_ORDER_MAGIC = 0x1A2B3C4D;
  private static final int INTERFACE_DESCRIPTION = 1;
  private static final int ENHANCED_PACKET = 6;
  private static final int INTERFACE_STATISTICS = 5;
  private static final int OPT_ISB_IFRECV = 4;
  private static final int OPT_ISB_IFDROP = 5;
  private static final int OPT_SHB_USERAPPL = 4;
  private static final int OPT_IF_NAME = 2;
  private static final int OPT_IF_TSRESOL = 9;
  private static final int OPT_EPB_FLAGS = 2;
  private static final byte NANOSECONDS = 9;

  private Pcapng() {}

  /** The first blocks of every file and live stream: the section and its interfaces. */
  public static byte[] header() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Block section = new Block(SECTION_HEADER);
    section.int32(BYTE_ORDER_MAGIC).int16(1).int16(0).int64(-1);
    section.option(OPT_SHB_USERAPPL, "Vigil border bridge".getBytes(StandardCharsets.UTF_8));
    out.writeBytes(section.end());
    for (LinkType type : LinkType.values()) {
      Block description = new Block(INTERFACE_DESCRIPTION);
      description.int16(type.code()).int16(0).int32(0);
      description.option(OPT_IF_NAME, type.label().getBytes(StandardCharsets.UTF_8));
      description.option(OPT_IF_TSRESOL, new byte[] {NANOSECONDS});
      out.writeBytes(description.end());
    }
    return out.toByteArray();
  }

  /**
   * An interface statistics block.
   *
   * @param received packets of the interface
   * @param dropped the part of these packets that was lost because the reader was too slow
   */
  public static byte[] statistics(LinkType type, Instant at, long received, long dropped) {
    Block block = new Block(INTERFACE_STATISTICS);
    block.int32(type.ordinal()).time(at);
    block.option(OPT_ISB_IFRECV, octets(8).putLong(received).array());
    block.option(OPT_ISB_IFDROP, octets(8).putLong(dropped).array());
    return block.end();
  }

  /** An enhanced packet block with one whole packet. */
  public static byte[] packet(LinkType type, Direction direction, Instant at, byte[] octets) {
    Block block = new Block(ENHANCED_PACKET);
    block.int32(type.ordinal()).time(at);
    block.int32(octets.length).int32(octets.length).padded(octets);
    block.option(OPT_EPB_FLAGS, octets(4).putInt(direction.flag()).array());
    return block.end();
  }

  private static ByteBuffer octets(int count) {
    return ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** A block under construction: type, total length, body, total length again. */
  private static final class Block {
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final int type;
    private boolean hasOptions;

    Block(int type) {
      this.type = type;
    }

    Block int16(int value) {
      body.write(value);
      body.write(value >>> 8);
      return this;
    }

    Block int32(int value) {
      return int16(value).int16(value >>> 16);
    }

    Block int64(long value) {
      return int32((int) value).int32((int) (value >>> 32));
    }

    Block time(Instant at) {
      long nanos =
          Math.addExact(Math.multiplyExact(at.getEpochSecond(), 1_000_000_000L), at.getNano());
      return int32((int) (nanos >>> 32)).int32((int) nanos);
    }

    Block padded(byte[] octets) {
      body.writeBytes(octets);
      while (body.size() % 4 != 0) {
        body.write(0);
      }
      return this;
    }

    void option(int code, byte[] value) {
      hasOptions = true;
      int16(code).int16(value.length).padded(value);
    }

    byte[] end() {
      if (hasOptions) {
        int32(0);
      }
      int total = body.size() + 12;
      ByteBuffer out = ByteBuffer.allocate(total).order(ByteOrder.LITTLE_ENDIAN);
      return out.putInt(type).putInt(total).put(body.toByteArray()).putInt(total).array();
    }
  }
}
