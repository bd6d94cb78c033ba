package dev.vigil.gateway.month;

import dev.vigil.gateway.month.MoteReport.Acted;
import dev.vigil.gateway.month.MoteReport.Event;
import dev.vigil.gateway.month.MoteReport.Measured;
import dev.vigil.gateway.month.MoteReport.NotStarted;
import dev.vigil.gateway.month.MoteReport.Packet;
import dev.vigil.gateway.month.MoteReport.PowerLost;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The motes' process (mote-firmware/bench/month.c, which documents the commands). */
final class Motes implements AutoCloseable {
  private static final int MAX_BODY = 2048;

  private final Process process;
  private final OutputStream out;
  private final DataInputStream in;

  private Motes(Process process) {
    this.process = process;
    this.out = new BufferedOutputStream(process.getOutputStream());
    this.in = new DataInputStream(process.getInputStream());
  }

  static Motes start(Path program, long seed, int motes) throws IOException {
    return new Motes(
        new ProcessBuilder(program.toString(), Long.toString(seed), Integer.toString(motes))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  /**
   * @param sa the file of its associations; empty: none
   * @param blockStore the file of its block store; empty: none
   * @param commanders public keys, X and Y
   */
  void setUp(MotePlan plan, String sa, String blockStore, List<byte[]> commanders) {
    ByteBuffer body = body();
    int flags =
        (plan.clock() ? 1 : 0)
            | (plan.compact() ? 2 : 0)
            | (plan.cbor() ? 4 : 0)
            | (plan.encrypt() ? 8 : 0);
    body.put((byte) plan.id())
        .putInt((int) plan.wakeMillis())
        .putInt(MotePlan.LIFETIME_SECONDS)
        .putInt((int) plan.listen())
        .putShort((short) plan.checkEvery())
        .put((byte) flags)
        .put((byte) plan.sensors());
    text(body, plan.ep());
    text(body, plan.domain());
    text(body, sa);
    text(body, blockStore);
    commanders.forEach(body::put);
    send('M', body);
  }

  private static void text(ByteBuffer body, String text) {
    body.put(text.getBytes(StandardCharsets.UTF_8)).put((byte) 0);
  }

  /**
   * @param fresh whether its associations were never used
   */
  void powerOn(int mote, boolean fresh, Flash flash) {
    int flags = (fresh ? 1 : 0) | flash.ordinal() << 1;
    send('O', body().put((byte) mote).put((byte) flags));
  }

  /** The change of the flash with a mote's identity before power returns. */
  enum Flash {
    KEPT,
    ERASED,
    /** A defect. */
    FORGETFUL
  }

  void powerOff(int mote) {
    send('X', body().put((byte) mote));
  }

  /**
   * Has power go within a write to flash.
   *
   * @param store 0: of the identity, 1: of counters
   * @param write counted from 1
   * @param octets of it that are written
   * @param rest enum fake_rest
   */
  void cutPower(int mote, int store, int write, int octets, int rest) {
    send(
        'C',
        body()
            .put((byte) mote)
            .put((byte) store)
            .putShort((short) write)
            .putShort((short) octets)
            .put((byte) rest));
  }

  /** Has a mote change its key (docs/protocol.md section 6). */
  void rotate(int mote) {
    send('K', body().put((byte) mote));
  }

  /** Sets the clock of a mote to a number of seconds of unix time at the month's beginning. */
  void setClock(int mote, long epoch) {
    send('W', body().put((byte) mote).putLong(epoch));
  }

  void setLoss(int ofMillion) {
    send('L', body().putInt(ofMillion));
  }

  /** Sends a packet of the gateway's. */
  void deliver(byte[] packet) {
    send('P', body().put(packet));
  }

  /** The events up to a moment. */
  record Step(long at, List<MoteReport> reports) {}

  /** Lets time pass until a moment, or until a packet for the gateway arrives. */
  Step run(long until) {
    send('R', body().putLong(until));
    try {
      out.flush();
      byte[] octets = new byte[Integer.reverseBytes(in.readInt())];
      in.readFully(octets);
      return parse(ByteBuffer.wrap(octets).order(ByteOrder.LITTLE_ENDIAN));
    } catch (EOFException e) {
      throw new IllegalStateException("the motes' process has ended", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Step parse(ByteBuffer in) {
    long now = in.getLong();
    List<MoteReport> reports = new ArrayList<>();
    while (in.hasRemaining()) {
      char kind = (char) in.get();
      long at = in.getLong();
      int mote = in.get();
      ByteBuffer body = in.slice(in.position() + 2, in.getShort(in.position()) & 0xffff);
      body.order(ByteOrder.LITTLE_ENDIAN);
      in.position(in.position() + 2 + body.remaining());
      reports.add(report(kind, at, mote, body));
    }
    return new Step(now, reports);
  }

  private static MoteReport report(char kind, long at, int mote, ByteBuffer in) {
    return switch (kind) {
      case 'P' -> new Packet(at, rest(in));
      case 'E' ->
          new Event(
              at,
              mote,
              Event.Kind.values()[in.get()],
              in.getLong(),
              in.get() & 0xff,
              in.get() != 0,
              in.get(),
              new String(rest(in), StandardCharsets.UTF_8));
      case 'S' -> new Measured(at, mote, in.get(), in.getLong());
      case 'A' -> new Acted(at, mote, new String(rest(in), StandardCharsets.UTF_8));
      case 'D' -> new PowerLost(at, mote);
      case 'Z' -> new NotStarted(at, mote, in.get());
      default -> throw new IllegalStateException("unknown report " + kind);
    };
  }

  private static byte[] rest(ByteBuffer in) {
    byte[] octets = new byte[in.remaining()];
    in.get(octets);
    return octets;
  }

  private static ByteBuffer body() {
    return ByteBuffer.allocate(MAX_BODY).order(ByteOrder.LITTLE_ENDIAN);
  }

  private void send(char command, ByteBuffer body) {
    try {
      int length = body.position();
      out.write(command);
      out.write(length);
      out.write(length >> 8);
      out.write(body.array(), 0, length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
