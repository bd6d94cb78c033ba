package dev.vigil.mirror.control;

import dev.vigil.coap.link.Link;
import dev.vigil.mirror.control.Control.Quantity;
import dev.vigil.mirror.control.Control.Switch;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlValue;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The control of a resource.
 *
 * @param declared whether the attributes of the link declare it. The mirror then refuses other
 *     values; a guess binds nobody
 */
public record ResourceControl(Control control, boolean declared) {
  public static final ResourceControl UNKNOWN = new ResourceControl(new Control.Unknown(), false);

  /** The resource type of a switch (OCF); its value is true or false. */
  private static final String BINARY_SWITCH = "oic.r.switch.binary";

  private static final Quantity PERCENT = quantity(0, 100);

  /** The limits of the SenML units that have some (RFC 8428 section 12.1). */
  private static final Map<String, Quantity> LIMITS =
      Map.of("%RH", PERCENT, "%EL", PERCENT, "lat", quantity(-90, 90), "lon", quantity(-180, 180));

  private static Quantity quantity(long minimum, long maximum) {
    return new Quantity(BigDecimal.valueOf(minimum), BigDecimal.valueOf(maximum), null);
  }

  /**
   * @param last the last measurement of the resource
   */
  public static ResourceControl of(Link link, @Nullable ResolvedRecord last) {
    Optional<Control> declared = LinkAttributes.control(link);
    return declared.isPresent()
        ? new ResourceControl(declared.get(), true)
        : new ResourceControl(guessed(link, last), false);
  }

  private static Control guessed(Link link, @Nullable ResolvedRecord last) {
    List<String> types = List.of(link.attribute("rt").orElse("").split(" "));
    if (types.contains(BINARY_SWITCH)) {
      return Switch.BOOLEANS;
    }
    return switch (last == null ? null : last.value()) {
      case SenmlValue.Bool _ -> Switch.BOOLEANS;
      case SenmlValue.Number _ -> limits(last == null ? null : last.unit());
      case SenmlValue.Text _ -> new Control.Text();
      case SenmlValue.Data _ -> new Control.Unknown();
      case null -> new Control.Unknown();
    };
  }

  private static Quantity limits(@Nullable String unit) {
    Quantity limits = unit == null ? null : LIMITS.get(unit);
    return limits == null ? new Quantity(null, null, null) : limits;
  }
}
