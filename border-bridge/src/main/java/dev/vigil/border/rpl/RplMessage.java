package dev.vigil.border.rpl;

import dev.vigil.border.ipv6.Icmpv6;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The RPL control messages (RFC 6550, section 6) that a non-storing root needs. The ICMPv6 type is
 * 155; the code selects the message.
 */
public sealed interface RplMessage {
  int CODE_DIS = 0;
  int CODE_DIO = 1;
  int CODE_DAO = 2;
  int CODE_DAO_ACK = 3;
  int OPTION_PAD1 = 0;
  int OPTION_CONFIGURATION = 4;
  int OPTION_TARGET = 5;
  int OPTION_TRANSIT = 6;
  int OPTION_PREFIX = 8;

  /**
   * The maximum of targets times parents in one DAO. A node of a non-storing DODAG announces only
   * itself.
   */
  int MAX_TRANSITS = 64;

  int FLAG_K = 0x80;
  int FLAG_D = 0x40;

  /** Asks for a DIO (RFC 6550, section 6.2). */
  record Dis() implements RplMessage {}

  /**
   * Announces a DODAG (RFC 6550, section 6.3).
   *
   * @param modeAndPreference grounded 0x80, mode of operation in bits 3 to 5, preference
   * @param options as on the wire
   */
  record Dio(
      int instance,
      int version,
      int rank,
      int modeAndPreference,
      int dtsn,
      Ipv6Address dodagId,
      byte[] options)
      implements RplMessage {}

  /**
   * Announces a node's parents (RFC 6550, section 6.4).
   *
   * @param ackRequested the K flag
   * @param dodagId null unless the D flag is set
   */
  record Dao(
      int instance,
      boolean ackRequested,
      int sequence,
      @Nullable Ipv6Address dodagId,
      List<Transit> transits)
      implements RplMessage {
    /** Copies the list. */
    public Dao {
      transits = List.copyOf(transits);
    }
  }

  /**
   * The parent of a target: RPL Target (RFC 6550, section 6.7.7) and Transit Information (RFC 6550,
   * section 6.7.8).
   *
   * @param targetLength of the target's prefix, bits
   * @param lifetime in lifetime units; 0 withdraws the route, 255 is infinite
   * @param parent null if the option names none
   */
  record Transit(
      Ipv6Address target, int targetLength, int lifetime, @Nullable Ipv6Address parent) {}

  /**
   * Answers a DAO (RFC 6550, section 6.5).
   *
   * @param status 0 accepted, from 128 refused
   */
  record DaoAck(int instance, int sequence, int status) implements RplMessage {}

  /**
   * Reads a message; unknown options are skipped.
   *
   * @throws WireException {@link Drop#RPL_MESSAGE} or {@link Drop#RPL_OPTION}, or truncated
   */
  static RplMessage parse(Icmpv6 icmp) throws WireException {
    WireReader in = new WireReader(icmp.body());
    return switch (icmp.code()) {
      case CODE_DIS -> {
        in.skip(2);
        yield new Dis();
      }
      case CODE_DIO -> dio(in);
      case CODE_DAO -> dao(in);
      case CODE_DAO_ACK -> {
        int instance = in.u8();
        in.skip(1);
        yield new DaoAck(instance, in.u8(), in.u8());
      }
      default -> throw new WireException(Drop.RPL_MESSAGE, "RPL code " + icmp.code());
    };
  }

  private static Dio dio(WireReader in) throws WireException {
    int instance = in.u8();
    int version = in.u8();
    int rank = in.u16();
    int mode = in.u8();
    int dtsn = in.u8();
    in.skip(2);
    return new Dio(instance, version, rank, mode, dtsn, Ipv6Address.read(in), in.rest());
  }

  private static Dao dao(WireReader in) throws WireException {
    int instance = in.u8();
    int flags = in.u8();
    in.skip(1);
    int sequence = in.u8();
    Ipv6Address dodagId = (flags & FLAG_D) != 0 ? Ipv6Address.read(in) : null;
    return new Dao(instance, (flags & FLAG_K) != 0, sequence, dodagId, transits(in));
  }

  /** Transit information applies to all targets directly before it. */
  private static List<Transit> transits(WireReader in) throws WireException {
    List<Transit> transits = new ArrayList<>();
    List<Transit> targets = new ArrayList<>();
    boolean grouped = false;
    while (!in.isEmpty()) {
      int type = in.u8();
      if (type == OPTION_PAD1) {
        continue;
      }
      WireReader option = in.region(in.u8());
      if (type == OPTION_TARGET) {
        if (grouped) {
          targets.clear();
          grouped = false;
        }
        targets.add(target(option));
      } else if (type == OPTION_TRANSIT) {
        grouped = true;
        option.skip(3);
        int lifetime = option.u8();
        Ipv6Address parent = option.isEmpty() ? null : Ipv6Address.read(option);
        if (transits.size() + targets.size() > MAX_TRANSITS) {
          throw new WireException(Drop.RPL_OPTION, "too many targets and parents");
        }
        for (Transit target : targets) {
          transits.add(new Transit(target.target(), target.targetLength(), lifetime, parent));
        }
      }
    }
    if (transits.isEmpty()) {
      throw new WireException(Drop.RPL_OPTION, "a DAO without target and transit");
    }
    return transits;
  }

  private static Transit target(WireReader option) throws WireException {
    option.skip(1);
    int length = option.u8();
    int octets = (length + 7) / 8;
    if (length > 128 || octets != option.remaining()) {
      throw new WireException(Drop.RPL_OPTION, "target length");
    }
    byte[] padded = new WireWriter(16).bytes(option.bytes(octets)).zeros(16 - octets).toBytes();
    return new Transit(Ipv6Address.of(padded), length, 0, null);
  }

  /** The message as ICMPv6. */
  default Icmpv6 toIcmp() {
    WireWriter out = new WireWriter();
    return switch (this) {
      case Dis dis -> new Icmpv6(Icmpv6.RPL, CODE_DIS, new byte[2]);
      case Dio dio -> {
        out.u8(dio.instance()).u8(dio.version()).u16(dio.rank()).u8(dio.modeAndPreference());
        out.u8(dio.dtsn()).u16(0);
        dio.dodagId().write(out);
        yield new Icmpv6(Icmpv6.RPL, CODE_DIO, out.bytes(dio.options()).toBytes());
      }
      case Dao dao -> new Icmpv6(Icmpv6.RPL, CODE_DAO, encode(dao, out));
      case DaoAck ack -> {
        out.u8(ack.instance()).u8(0).u8(ack.sequence()).u8(ack.status());
        yield new Icmpv6(Icmpv6.RPL, CODE_DAO_ACK, out.toBytes());
      }
    };
  }

  private static byte[] encode(Dao dao, WireWriter out) {
    Ipv6Address dodagId = dao.dodagId();
    int flags = (dao.ackRequested() ? FLAG_K : 0) | (dodagId != null ? FLAG_D : 0);
    out.u8(dao.instance()).u8(flags).u8(0).u8(dao.sequence());
    if (dodagId != null) {
      dodagId.write(out);
    }
    for (Transit transit : dao.transits()) {
      int octets = (transit.targetLength() + 7) / 8;
      out.u8(OPTION_TARGET).u8(2 + octets).u8(0).u8(transit.targetLength());
      out.bytes(Arrays.copyOf(transit.target().octets(), octets));
      Ipv6Address parent = transit.parent();
      out.u8(OPTION_TRANSIT).u8(parent == null ? 4 : 20).u24(0).u8(transit.lifetime());
      if (parent != null) {
        parent.write(out);
      }
    }
    return out.toBytes();
  }
}
