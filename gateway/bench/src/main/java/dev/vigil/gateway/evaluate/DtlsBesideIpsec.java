package dev.vigil.gateway.evaluate;

import dev.vigil.gateway.evaluate.DtlsSessions.Aes;
import dev.vigil.gateway.evaluate.DtlsSessions.Cell;
import dev.vigil.gateway.evaluate.DtlsSessions.Datagrams;
import dev.vigil.gateway.evaluate.DtlsSessions.Protection;
import dev.vigil.gateway.evaluate.tables.Experiment;
import dev.vigil.gateway.evaluate.tables.How;
import dev.vigil.gateway.evaluate.tables.Plot;
import dev.vigil.gateway.evaluate.tables.Row;
import dev.vigil.gateway.evaluate.tables.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The thesis' second question, DTLS compared with IPsec: size, handshake and messages of a mote's
 * DTLS 1.2 client (PSK, AES_128_CCM_8, with and without Connection ID) with the gateway's own
 * server. Beside it stands ESP with existing associations. Waiting with an open receiver is counted
 * only where a row says so.
 */
final class DtlsBesideIpsec implements Experiment {
  private static final double KB = 1024;

  /**
   * The thesis: ROM and RAM of the image with its DTLS client, and of the image without security.
   */
  private static final double THEIR_FLASH = 63.8;

  private static final double THEIR_RAM = 12.2;
  private static final double THEIR_PLAIN_FLASH = 37.9;
  private static final double THEIR_PLAIN_RAM = 7.0;
  private static final double MICRO_PER_MILLI = 1000;
  private static final List<Integer> ENDS = List.of(1, 6);
  private static final List<Protection> SESSIONS = List.of(Protection.DTLS, Protection.DTLS_ID);
  private static final List<Integer> READINGS = List.of(16, 64, 256);
  private static final int SHOWN = 64;

  private final EmulatedMotes motes;

  DtlsBesideIpsec(EmulatedMotes motes) {
    this.motes = motes;
  }

  @Override
  public List<String> tables() {
    return List.of("dtls-size", "dtls-handshake", "dtls-message", "dtls-readings");
  }

  @Override
  public boolean isQuick() {
    return false;
  }

  @Override
  public List<Table> run() throws Exception {
    DtlsSessions sessions = DtlsSessions.of(motes);
    return List.of(size(sessions), handshake(sessions), message(sessions), readings(sessions));
  }

  private Table size(DtlsSessions sessions) throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    int flash = motes.flash("endpoint-plain");
    int ram = motes.ram("endpoint-plain");
    for (Aes aes : Aes.values()) {
      String image = "endpoint-" + aes.image();
      String of = ", %s AES".formatted(aes.label);
      rows.add(atMost("flash of the image" + of, THEIR_FLASH, motes.flash(image)));
      rows.add(
          atMost(
              "flash that DTLS adds" + of,
              THEIR_FLASH - THEIR_PLAIN_FLASH,
              motes.flash(image) - flash));
      rows.add(atMost("static RAM of the image" + of, THEIR_RAM, motes.ram(image)));
      rows.add(
          atMost(
              "static RAM that DTLS adds" + of,
              THEIR_RAM - THEIR_PLAIN_RAM,
              motes.ram(image) - ram));
      rows.add(
          Row.atMost(
              "of it contexts and heap, the least that is enough, %s AES".formatted(aes.label),
              null,
              sessions.count(aes, "memory, Connection ID") / KB,
              "KB",
              sessions.count(aes, "endpoint memory") / KB,
              How.EMULATED));
      rows.add(
          Row.beside(
              "deepest stack of handshake and records, %s AES".formatted(aes.label),
              null,
              sessions.count(aes, "stack"),
              "B",
              How.EMULATED));
    }
    String esp = "guarded-esp-ctr-xcbc";
    rows.add(
        Row.beside(
            "flash that ESP adds, constant-time AES",
            null,
            (motes.flash(esp) - flash) / KB,
            "KB",
            How.COUNTED));
    rows.add(
        Row.beside(
            "static RAM that ESP adds", null, (motes.ram(esp) - ram) / KB, "KB", How.COUNTED));
    return new Table(
        "dtls-size",
        "the endpoint with DTLS (Mbed TLS 3.6, records of 384 octets), on a Cortex-M3",
        rows);
  }

  private static Row atMost(String name, double theirs, int octets) {
    return Row.atMost(name, theirs, octets / KB, "KB", theirs, How.COUNTED);
  }

  private static Table handshake(DtlsSessions sessions) throws IOException {
    List<Row> rows = new ArrayList<>();
    for (Protection protection : SESSIONS) {
      String name = protection.label;
      Datagrams datagrams = sessions.datagrams(protection);
      rows.add(Row.beside(name + ": datagrams sent", null, datagrams.count(), "", How.COUNTED));
      rows.add(Row.beside(name + ": octets in them", null, datagrams.sent(), "B", How.COUNTED));
      rows.add(
          Row.beside(name + ": octets in the answers", null, datagrams.heard(), "B", How.COUNTED));
      for (Aes aes : Aes.values()) {
        rows.add(
            Row.beside(
                "%s: instructions, %s AES".formatted(name, aes.label),
                null,
                sessions.handshakeInstructions(aes, protection),
                "instr.",
                How.EMULATED));
      }
      for (int hops : List.of(1, 3, 6)) {
        Cell cell = sessions.handshake(protection, hops);
        double instructions = sessions.handshakeInstructions(Aes.CONSTANT, protection);
        String at = "%s, %d hops: ".formatted(name, hops);
        rows.add(Row.beside(at + "frames", null, cell.frames(), "", How.VIRTUAL_RADIO));
        rows.add(Row.beside(at + "octets on the air", null, cell.octets(), "B", How.VIRTUAL_RADIO));
        rows.add(
            Row.beside(
                at + "time, with the processor's",
                null,
                cell.millis() + DtlsSessions.cpuMillis(instructions),
                "ms",
                How.VIRTUAL_RADIO));
        rows.add(
            Row.beside(
                at + "energy of the mote",
                null,
                DtlsSessions.microjoules(cell.mote(), instructions) / MICRO_PER_MILLI,
                "mJ",
                How.MODEL));
        rows.add(
            Row.beside(
                at + "energy of all motes on the way",
                null,
                DtlsSessions.microjoules(cell.route(), instructions) / MICRO_PER_MILLI,
                "mJ",
                How.MODEL));
      }
    }
    return new Table(
        "dtls-handshake",
        "a handshake with the gateway's CoAPS over the mesh, constant-time AES",
        rows);
  }

  private static Table message(DtlsSessions sessions) throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    for (int size : DtlsSessions.SIZES) {
      for (int hops : ENDS) {
        for (Protection protection : Protection.values()) {
          String at = "%d B, %d hops, %s: ".formatted(size, hops, protection.label);
          Cell cell = sessions.message(protection, hops, size);
          rows.add(Row.beside(at + "frames", null, cell.frames(), "", How.VIRTUAL_RADIO));
          rows.add(
              Row.beside(at + "octets on the air", null, cell.octets(), "B", How.VIRTUAL_RADIO));
          rows.add(
              Row.beside(
                  at + "energy of the mote",
                  null,
                  mote(sessions, protection, hops, size, Aes.CONSTANT),
                  "uJ",
                  How.MODEL));
        }
      }
    }
    List<Plot.Line> lines = new ArrayList<>();
    for (Protection protection : Protection.values()) {
      List<Plot.Point> points = new ArrayList<>();
      for (int size : DtlsSessions.SIZES) {
        points.add(new Plot.Point(size, mote(sessions, protection, 1, size, Aes.CONSTANT)));
      }
      lines.add(new Plot.Line(protection.label, points));
    }
    return new Table(
        "dtls-message",
        "a CoAP message and its answer of 6 B under ESP and in DTLS records",
        rows,
        List.of(
            new Plot(
                "dtls-message.svg",
                "Energy of the mote for a message and its answer, one hop",
                "octets",
                "uJ",
                lines)));
  }

  /** Microjoules of the mote for a message and its answer. */
  private static double mote(
      DtlsSessions sessions, Protection protection, int hops, int size, Aes aes)
      throws IOException, InterruptedException {
    return DtlsSessions.microjoules(
        sessions.message(protection, hops, size).mote(),
        sessions.messageInstructions(aes, protection, size));
  }

  /** The same with the receiver open until the answer is there. */
  private static double waiting(
      DtlsSessions sessions, Protection protection, int hops, int size, Aes aes)
      throws IOException, InterruptedException {
    return DtlsSessions.microjoules(
        sessions.message(protection, hops, size).waiting(),
        sessions.messageInstructions(aes, protection, size));
  }

  /** Microjoules of all motes on the way, without waiting. */
  private static double route(
      DtlsSessions sessions, Protection protection, int hops, int size, Aes aes)
      throws IOException, InterruptedException {
    return DtlsSessions.microjoules(
        sessions.message(protection, hops, size).route(),
        sessions.messageInstructions(aes, protection, size));
  }

  /**
   * The number of readings in each wake-up from which on one protection costs less than the other.
   */
  private static Table readings(DtlsSessions sessions) throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    for (Aes aes : Aes.values()) {
      for (int hops : ENDS) {
        for (int size : READINGS) {
          rows.addAll(readings(sessions, aes, hops, size));
        }
      }
    }
    return new Table(
        "dtls-readings",
        "readings in each wake-up from which on one costs the mote less than the other; 0: never",
        rows,
        List.of(plot(sessions)));
  }

  private static List<Row> readings(DtlsSessions sessions, Aes aes, int hops, int size)
      throws IOException, InterruptedException {
    double esp = mote(sessions, Protection.ESP, hops, size, aes);
    double dtls = mote(sessions, Protection.DTLS, hops, size, aes);
    double withId = mote(sessions, Protection.DTLS_ID, hops, size, aes);
    double espRoute = route(sessions, Protection.ESP, hops, size, aes);
    double withIdRoute = route(sessions, Protection.DTLS_ID, hops, size, aes);
    double handshake =
        DtlsSessions.microjoules(
            sessions.handshake(Protection.DTLS, hops).mote(),
            sessions.handshakeInstructions(aes, Protection.DTLS));
    double handshakeWaiting =
        DtlsSessions.microjoules(
            sessions.handshake(Protection.DTLS, hops).waiting(),
            sessions.handshakeInstructions(aes, Protection.DTLS));
    double dtlsWaiting = waiting(sessions, Protection.DTLS, hops, size, aes);
    String at = "%d B, %d hops, %s AES: ".formatted(size, hops, aes.label);
    return List.of(
        Row.beside(
            at + "a handshake in each wake-up below ESP",
            null,
            crossing(handshake, dtls, esp),
            "",
            How.MODEL),
        Row.beside(
            at + "a handshake in each wake-up below Connection ID",
            null,
            crossing(handshake, dtls, withId),
            "",
            How.MODEL),
        Row.beside(
            at + "the first, with the receiver open until the answer",
            null,
            crossing(
                handshakeWaiting, dtlsWaiting, waiting(sessions, Protection.ESP, hops, size, aes)),
            "",
            How.MODEL),
        Row.beside(
            at + "the second, with the receiver open until the answer",
            null,
            crossing(
                handshakeWaiting,
                dtlsWaiting,
                waiting(sessions, Protection.DTLS_ID, hops, size, aes)),
            "",
            How.MODEL),
        Row.beside(
            at + "one reading, a handshake in each wake-up, beside ESP",
            null,
            (handshake + dtls) / esp,
            "times",
            How.MODEL),
        Row.beside(at + "Connection ID above ESP", null, (withId / esp - 1) * 100, "%", How.MODEL),
        Row.beside(
            at + "Connection ID above ESP, all motes on the way",
            null,
            (withIdRoute / espRoute - 1) * 100,
            "%",
            How.MODEL));
  }

  /** The least number of readings for which a fixed cost plus theirs is less; 0: there is none. */
  static double crossing(double fixed, double each, double otherEach) {
    return each < otherEach ? Math.floor(fixed / (otherEach - each)) + 1 : 0;
  }

  private static Plot plot(DtlsSessions sessions) throws IOException, InterruptedException {
    double handshake =
        DtlsSessions.microjoules(
            sessions.handshake(Protection.DTLS, 1).mote(),
            sessions.handshakeInstructions(Aes.CONSTANT, Protection.DTLS));
    List<Plot.Line> lines = new ArrayList<>();
    for (Protection protection : Protection.values()) {
      double each = mote(sessions, protection, 1, SHOWN, Aes.CONSTANT);
      double fixed = protection == Protection.DTLS ? handshake : 0;
      List<Plot.Point> points = new ArrayList<>();
      for (int readings = 1; readings <= 64; readings *= 2) {
        points.add(new Plot.Point(readings, (fixed / readings + each) / MICRO_PER_MILLI));
      }
      lines.add(
          new Plot.Line(
              protection == Protection.DTLS ? "DTLS, a handshake each" : protection.label, points));
    }
    return new Plot(
        "dtls-readings.svg",
        "Energy of the mote for a reading of 64 B, one hop",
        "readings in each wake-up",
        "mJ",
        lines);
  }
}
