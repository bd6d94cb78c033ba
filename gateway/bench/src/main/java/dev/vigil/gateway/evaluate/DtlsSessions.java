package dev.vigil.gateway.evaluate;

import dev.vigil.border.cost.Board;
import dev.vigil.gateway.coap.dtls.SecureEcho;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sessions of the mote's DTLS client with the gateway's server, compared with ESP
 * (mote-firmware/dtls). They are recorded once over loopback, then repeated on the emulated
 * Cortex-M3 and over a line of six hops in virtual time.
 */
final class DtlsSessions {
  static final List<Integer> SIZES = List.of(16, 32, 64, 128, 256);

  private static final List<Integer> SEEDS = List.of(1, 2, 3);
  private static final String PLAIN = "build/dtls/plain.session";
  private static final String WITH_ID = "build/dtls/cid.session";
  private static final double MICROS_PER_MILLI = 1000;

  /** Octets of the answer to a message, for which ESP is counted with 8 (replay.h: 6). */
  private static final int ANSWER = 6;

  private static final int ESP_ANSWER = 8;

  /** The protections as the mesh program names them. */
  enum Protection {
    ESP("ESP", ""),
    DTLS("DTLS", ""),
    DTLS_ID("DTLS with Connection ID", ", Connection ID");

    final String label;
    private final String image;

    Protection(String label, String image) {
      this.label = label;
      this.image = image;
    }
  }

  /** The AES of both: from tables, or in constant time. */
  enum Aes {
    TABLE("table-based"),
    CONSTANT("constant-time");

    final String label;

    Aes(String label) {
      this.label = label;
    }

    /** The image that repeats the sessions; the endpoint's has a prefix. */
    String image() {
      return switch (this) {
        case TABLE -> "dtls-table";
        case CONSTANT -> "dtls-constant";
      };
    }
  }

  /**
   * Means of the seeds: frames and octets on all hops, times in milliseconds without the
   * processor's.
   *
   * @param mote sending and receiving of the mote alone
   * @param route of all motes
   */
  record Cell(double frames, double octets, double millis, Board.Work mote, Board.Work route) {
    Cell plus(Cell other) {
      return new Cell(
          frames + other.frames,
          octets + other.octets,
          millis + other.millis,
          sum(mote, other.mote),
          sum(route, other.route));
    }

    private static Board.Work sum(Board.Work one, Board.Work other) {
      return new Board.Work(
          one.txMillis() + other.txMillis(),
          one.rxMillis() + other.rxMillis(),
          one.cpuMillis() + other.cpuMillis());
    }

    Cell times(double factor) {
      return new Cell(
          frames * factor,
          octets * factor,
          millis * factor,
          scaled(mote, factor),
          scaled(route, factor));
    }

    private static Board.Work scaled(Board.Work work, double factor) {
      return new Board.Work(
          work.txMillis() * factor, work.rxMillis() * factor, work.cpuMillis() * factor);
    }

    /** The mote's radio if its receiver is open until the answer is there. */
    Board.Work waiting() {
      return new Board.Work(mote.txMillis(), millis - mote.txMillis(), 0);
    }
  }

  /** Octets of the recorded handshake's datagrams, and their number from the mote. */
  record Datagrams(double sent, double heard, double count) {}

  private record Key(String what, Protection protection, int hops, int size) {}

  private final EmulatedMotes motes;
  private final Map<Key, Cell> cells = new HashMap<>();
  private final Map<Aes, Map<String, Double>> counts = new HashMap<>();
  private final Map<Protection, Datagrams> handshakes = new HashMap<>();

  private DtlsSessions(EmulatedMotes motes) {
    this.motes = motes;
  }

  static DtlsSessions of(EmulatedMotes motes)
      throws IOException, InterruptedException, GeneralSecurityException {
    DtlsSessions sessions = new DtlsSessions(motes);
    System.err.println("building Mbed TLS for motes (a minute the first time)");
    motes.make("dtls-images");
    sessions.record();
    System.err.println("repeating the sessions on the Cortex-M3 and over a line");
    for (Aes aes : Aes.values()) {
      sessions.counts.put(aes, motes.printed(aes.image()));
    }
    for (int seed : SEEDS) {
      String[] arguments = {Integer.toString(seed), PLAIN, WITH_ID};
      for (String line : motes.host("build/evaluate/dtls-mesh", arguments)) {
        sessions.add(line.split("\t"));
      }
    }
    sessions.cells.replaceAll((_, sum) -> sum.times(1.0 / SEEDS.size()));
    return sessions;
  }

  private void record() throws IOException, InterruptedException, GeneralSecurityException {
    byte[] key = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    try (SecureEcho server = new SecureEcho("mote-7", key, new byte[ANSWER])) {
      String port = Integer.toString(server.port());
      handshakes.put(Protection.DTLS, recorded(port, PLAIN));
      handshakes.put(Protection.DTLS_ID, recorded(port, WITH_ID, "cid"));
    }
  }

  private Datagrams recorded(String port, String... more) throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of(port));
    arguments.addAll(List.of(more));
    String[] field =
        motes
            .host("build/evaluate/dtls-record", arguments.toArray(String[]::new))
            .getFirst()
            .split("\t");
    return new Datagrams(
        Double.parseDouble(field[0]), Double.parseDouble(field[1]), Double.parseDouble(field[2]));
  }

  private void add(String[] field) throws IOException {
    Protection protection = null;
    for (Protection one : Protection.values()) {
      if (one.label.equals(field[1])) {
        protection = one;
      }
    }
    if (protection == null) {
      throw new IOException("the mesh printed an unknown protection " + field[1]);
    }
    double[] value = new double[field.length];
    for (int i = 2; i < field.length; i++) {
      value[i] = Double.parseDouble(field[i]);
    }
    cells.merge(
        new Key(field[0], protection, (int) value[2], (int) value[3]),
        new Cell(
            value[5],
            value[6],
            value[7] / MICROS_PER_MILLI,
            new Board.Work(value[8] / MICROS_PER_MILLI, value[9] / MICROS_PER_MILLI, 0),
            new Board.Work(value[10] / MICROS_PER_MILLI, value[11] / MICROS_PER_MILLI, 0)),
        Cell::plus);
  }

  Cell handshake(Protection protection, int hops) throws IOException {
    return cell(new Key("handshake", protection, hops, 0));
  }

  Cell message(Protection protection, int hops, int size) throws IOException {
    return cell(new Key("message", protection, hops, size));
  }

  private Cell cell(Key key) throws IOException {
    Cell cell = cells.get(key);
    if (cell == null) {
      throw new IOException("the mesh printed no cell " + key);
    }
    return cell;
  }

  Datagrams datagrams(Protection protection) throws IOException {
    Datagrams datagrams = handshakes.get(protection);
    if (datagrams == null) {
      throw new IOException(protection.label + " has no handshake");
    }
    return datagrams;
  }

  /** A line of the image: instructions, octets of memory or of the stack. */
  double count(Aes aes, String name) throws IOException {
    Double count = counts.getOrDefault(aes, Map.of()).get(name);
    if (count == null) {
      throw new IOException(aes.image() + " printed no line " + name);
    }
    return count;
  }

  double handshakeInstructions(Aes aes, Protection protection) throws IOException {
    return count(aes, "handshake" + protection.image);
  }

  /** Sealing a message and opening its answer. */
  double messageInstructions(Aes aes, Protection protection, int size)
      throws IOException, InterruptedException {
    return protection == Protection.ESP
        ? motes.instructions("ipsec", aes.label, "ESP seal", size)
            + motes.instructions("ipsec", aes.label, "ESP open", ESP_ANSWER)
        : count(aes, "seal%s %d".formatted(protection.image, size))
            + count(aes, "open%s after %d".formatted(protection.image, size));
  }

  /** Microjoules of some radio work and some instructions of the mote. */
  static double microjoules(Board.Work radio, double instructions) {
    return Board.TMOTE_SKY.microjoules(
        new Board.Work(
            radio.txMillis(),
            radio.rxMillis(),
            instructions / EmulatedMotes.INSTRUCTIONS_PER_MILLI));
  }

  static double cpuMillis(double instructions) {
    return instructions / EmulatedMotes.INSTRUCTIONS_PER_MILLI;
  }
}
