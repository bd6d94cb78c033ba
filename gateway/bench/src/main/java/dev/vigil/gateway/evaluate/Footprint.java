package dev.vigil.gateway.evaluate;

import dev.vigil.border.cost.SecurityCost;
import dev.vigil.gateway.evaluate.tables.Experiment;
import dev.vigil.gateway.evaluate.tables.How;
import dev.vigil.gateway.evaluate.tables.Row;
import dev.vigil.gateway.evaluate.tables.Table;
import dev.vigil.signed.jose.CompactUpdate;
import java.io.IOException;
import java.util.List;

/**
 * Raza 2011, table I, thesis, tables 11 and 14, Alharby, table VIII, Sethi, table II: octets of
 * flash and RAM of linked images for a Cortex-M3 at -Os, and Sethi's times.
 */
final class Footprint implements Experiment {
  private static final double KB = 1024;

  /** Octets of some compact signed update. */
  private static final int UPDATE = 100;

  /** The tolerance of the cost model's constant, for instance for another compiler. */
  private static final double SIGNING_PERCENT = 1;

  private final EmulatedMotes motes;

  Footprint(EmulatedMotes motes) {
    this.motes = motes;
  }

  @Override
  public List<String> tables() {
    return List.of("raza-1", "alharby-8", "sethi-2");
  }

  @Override
  public boolean isQuick() {
    return false;
  }

  @Override
  public List<Table> run() throws IOException, InterruptedException {
    return List.of(ipsec(), link(), sethi());
  }

  private Table ipsec() throws IOException, InterruptedException {
    return new Table(
        "raza-1",
        "flash that IPsec adds to the endpoint's image, with BearSSL (thesis 11, else Raza I)",
        List.of(
            row("AH XCBC, AES in software", 5.0, "ah-xcbc"),
            row("AH XCBC, AES of a device", 2.3, "ah-hardware"),
            row("AH HMAC-SHA1 (Raza)", 3.9, "ah-sha1"),
            row("ESP CTR and XCBC, AES in software", 5.2, "esp-ctr-xcbc"),
            row("the same, subkeys cached, pairs of blocks", 5.2, "esp-cached"),
            row("ESP CTR and XCBC, AES of a device", 2.5, "esp-hardware"),
            row("ESP XCBC alone (Raza)", 6.9, "esp-null-xcbc"),
            row("ESP CBC and XCBC (Raza)", 9.0, "esp-cbc-xcbc"),
            ram("static RAM, AH XCBC", 0.4, "ah-xcbc"),
            ram("static RAM, ESP CTR and XCBC", 0.4, "esp-ctr-xcbc"),
            ram("static RAM, the same, subkeys cached", 0.4, "esp-cached"),
            ram("static RAM, AES of a device", 0.1, "esp-hardware")));
  }

  private Row row(String name, double theirs, String guard)
      throws IOException, InterruptedException {
    double ours = (motes.flash("guarded-" + guard) - motes.flash("endpoint-plain")) / KB;
    return Row.atMost(name, theirs, ours, "KB", theirs, How.COUNTED);
  }

  private Row ram(String name, double theirs, String guard)
      throws IOException, InterruptedException {
    double ours = (motes.ram("guarded-" + guard) - motes.ram("endpoint-plain")) / KB;
    return Row.atMost(name, theirs, ours, "KB", theirs, How.COUNTED);
  }

  private Table link() throws IOException, InterruptedException {
    return new Table(
        "alharby-8",
        "image with security (theirs: Contiki with link security on an MSP430)",
        List.of(
            Row.beside("flash", 25.0, motes.flash("guarded-esp-ctr-xcbc") / KB, "KB", How.COUNTED),
            Row.beside(
                "static RAM", 5.6, motes.ram("guarded-esp-ctr-xcbc") / KB, "KB", How.COUNTED)));
  }

  private Table sethi() throws IOException, InterruptedException {
    double stack = motes.wakeUp("endpoint stack").getFirst();
    double keyPair =
        motes.wakeUp("start before the registering wake-up").getFirst()
            / EmulatedMotes.INSTRUCTIONS_PER_MILLI;
    double register =
        motes.wakeUp("registering wake-up").getFirst() / EmulatedMotes.INSTRUCTIONS_PER_MILLI;
    double update =
        motes.wakeUp("updating wake-up").getFirst() / EmulatedMotes.INSTRUCTIONS_PER_MILLI;
    return new Table(
        "sethi-2",
        "the endpoint; theirs has 80-bit security on an ATmega2560, ours 128-bit on a Cortex-M3",
        List.of(
            Row.atMost("flash", 51.0, motes.flash("endpoint-full") / KB, "KB", 51, How.COUNTED),
            Row.beside("static RAM", null, motes.ram("endpoint-full"), "B", How.COUNTED),
            Row.beside("deepest stack below main", null, stack, "B", How.EMULATED),
            Row.beside(
                "RAM together", 4678.0, motes.ram("endpoint-full") + stack, "B", How.EMULATED),
            Row.atMost(
                "new key pair and registering, at 16 MHz and a cycle an instruction; ours also"
                    + " signs the registration and an update, and verifies the mirror's answer",
                2030.0,
                keyPair + register,
                "ms",
                2030,
                How.EMULATED),
            Row.beside("of it the key pair", null, keyPair, "ms", How.EMULATED),
            Row.atMost("signing and sending", 987.0, update, "ms", 987, How.EMULATED),
            Row.within(
                "a signature; beside it the constant of the cost model",
                SecurityCost.SIGN_INSTRUCTIONS,
                motes.wakeUp("P-256 sign").getFirst(),
                "instr.",
                SIGNING_PERCENT,
                How.EMULATED),
            Row.beside(
                "octets of a compact signed update beside its payload",
                42.0,
                UPDATE - CompactUpdate.parse(new byte[UPDATE]).payload().length,
                "B",
                How.COUNTED)));
  }
}
