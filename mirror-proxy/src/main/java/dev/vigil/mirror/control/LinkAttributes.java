package dev.vigil.mirror.control;

import dev.vigil.coap.link.Link;
import dev.vigil.mirror.control.Control.Choice;
import dev.vigil.mirror.control.Control.Quantity;
import dev.vigil.mirror.control.Control.Switch;
import dev.vigil.signed.senml.SenmlValue;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the attributes of a link that declare values. They have the names and meanings of data
 * qualities in SDF (RFC 9880 section 4.7), because no target attribute of links has that purpose.
 */
final class LinkAttributes {
  private LinkAttributes() {}

  /** Empty if no attribute declares values. Attributes that make no sense are ignored. */
  static Optional<Control> control(Link link) {
    List<SenmlValue> values = values(link.attribute("enum").orElse(""));
    return values.isEmpty() ? quantity(link) : Optional.of(choice(values));
  }

  private static List<SenmlValue> values(String list) {
    return Stream.of(list.split(" "))
        .filter(word -> !word.isEmpty() && word.chars().noneMatch(Character::isISOControl))
        .map(SenmlValue::ofWord)
        .distinct()
        .toList();
  }

  private static Control choice(List<SenmlValue> values) {
    for (Switch known : List.of(Switch.NUMBERS, Switch.BOOLEANS)) {
      if (Set.copyOf(values).equals(Set.of(known.off(), known.on()))) {
        return known;
      }
    }
    return new Choice(values);
  }

  private static Optional<Control> quantity(Link link) {
    BigDecimal minimum = number(link, "minimum");
    BigDecimal maximum = number(link, "maximum");
    BigDecimal multipleOf = number(link, "multipleOf");
    if (multipleOf != null && multipleOf.signum() <= 0) {
      multipleOf = null;
    }
    if (minimum != null && maximum != null && minimum.compareTo(maximum) >= 0) {
      return Optional.empty();
    }
    return minimum == null && maximum == null && multipleOf == null
        ? Optional.empty()
        : Optional.of(new Quantity(minimum, maximum, multipleOf));
  }

  private static @Nullable BigDecimal number(Link link, String name) {
    String text = link.attribute(name).orElse("");
    return SenmlValue.DECIMAL.matcher(text).matches() ? new BigDecimal(text) : null;
  }
}
