package dev.vigil.mirror.command;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.mirror.control.ResourceControl;
import dev.vigil.mirror.model.EndpointLinks;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.signed.jose.Jws;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlPack;
import dev.vigil.signed.senml.SenmlValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares the values of a command with those that its resource takes. */
final class CommandValues {
  private static final int MAX_SHOWN = 40;

  private CommandValues() {}

  /**
   * Refuses values that the link of the resource excludes. Content that is neither SenML nor text
   * is the endpoint's matter.
   */
  static void requireAccepted(Jws command, String links, String path) {
    ResourceControl control = EndpointLinks.control(links, path);
    if (!control.declared()) {
      return;
    }
    for (@Nullable SenmlValue value : values(command)) {
      if (value == null || !control.control().accepts(value)) {
        throw new RequestRefused(
            Reason.VALUE_NOT_ACCEPTED,
            "%s takes %s, not %s".formatted(path, control.control().accepted(), shown(value)));
      }
    }
  }

  /** The values; null for a record without one. */
  private static List<@Nullable SenmlValue> values(Jws command) {
    String cty = String.valueOf(command.header().cty());
    ContentFormat format = ContentFormat.ofMediaType(cty).orElse(ContentFormat.JOSE);
    List<@Nullable SenmlValue> values = new ArrayList<>();
    switch (format) {
      case SENML_JSON -> add(SenmlPack.readJson(command.payload()), values);
      case SENML_CBOR -> add(SenmlPack.readCbor(command.payload()), values);
      case TEXT ->
          values.add(
              SenmlValue.ofWord(new String(command.payload(), StandardCharsets.UTF_8).trim()));
      default -> {}
    }
    return values;
  }

  private static void add(SenmlPack pack, List<@Nullable SenmlValue> values) {
    pack.resolve(0).stream().map(ResolvedRecord::value).forEach(values::add);
  }

  private static String shown(@Nullable SenmlValue value) {
    String text = SenmlPack.text(value);
    boolean plain =
        !text.isEmpty()
            && text.length() <= MAX_SHOWN
            && text.chars().noneMatch(Character::isISOControl);
    return plain ? text : "the given value";
  }
}
