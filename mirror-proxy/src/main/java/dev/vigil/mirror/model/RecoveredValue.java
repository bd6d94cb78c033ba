package dev.vigil.mirror.model;

import dev.vigil.signed.json.JsonReader;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlValue;
import dev.vigil.signed.wire.WireReader;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A reading that the endpoint kept while the mirror was unreachable, and that the gateway later
 * fetched from its block store. ESP between the mote and the gateway authenticates it; the endpoint
 * did not sign it.
 *
 * @param name as in the endpoint's signed updates
 * @param measured to the second
 * @param seq the number of the update that should have carried it; 0 if there was none
 * @param mote the address of the block store's mote
 * @param block the number of the block that held it
 */
public record RecoveredValue(
    String name,
    @Nullable String unit,
    BigDecimal value,
    Instant measured,
    long seq,
    String mote,
    long block) {

  /** The body of a fact in {@link StoreSlots#RECOVERED}. */
  public byte[] body() {
    return new JsonWriter()
        .open('{')
        .member("name", name)
        .member("unit", unit)
        .name("value")
        .raw(value.toPlainString())
        .member("time", measured.getEpochSecond())
        .member("seq", seq)
        .member("mote", mote)
        .member("block", block)
        .close('}')
        .toOctets();
  }

  public static RecoveredValue read(byte[] body) {
    return new Parser(new JsonReader(new WireReader(body))).value();
  }

  /** The reading as a resolved SenML record. */
  public ResolvedRecord measurement() {
    SenmlValue number = new SenmlValue.Number(value.doubleValue());
    return new ResolvedRecord(name, unit, number, null, measured.getEpochSecond(), null, false);
  }

  private static final class Parser {
    private final JsonReader json;
    private String name = "";
    private @Nullable String unit;
    private BigDecimal value = BigDecimal.ZERO;
    private long time;
    private long seq;
    private String mote = "";
    private long block;

    Parser(JsonReader json) {
      this.json = json;
    }

    RecoveredValue value() {
      json.object(this::member);
      return new RecoveredValue(name, unit, value, Instant.ofEpochSecond(time), seq, mote, block);
    }

    private void member(String member) {
      switch (member) {
        case "name" -> name = json.string();
        case "unit" -> unit = json.string();
        case "value" -> value = BigDecimal.valueOf(json.number());
        case "time" -> time = json.integer();
        case "seq" -> seq = json.integer();
        case "mote" -> mote = json.string();
        case "block" -> block = json.integer();
        default -> json.skip();
      }
    }
  }
}
