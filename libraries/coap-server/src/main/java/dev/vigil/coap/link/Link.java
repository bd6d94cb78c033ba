package dev.vigil.coap.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One link (RFC 6690 section 2).
 *
 * @param target the reference between the angle brackets, unchanged
 * @param attributes in their original order, including repeated ones
 */
public record Link(String target, List<Attribute> attributes) {
  public static final String ANCHOR = "anchor";
  public static final String REL = "rel";

  /**
   * @param value null for an attribute without a value ({@code ;obs})
   * @param quoted whether the value is written in quotes
   */
  public record Attribute(String name, @Nullable String value, boolean quoted) {
    /** An attribute that is quoted unless it is a number, as in RFC 6690 section 5. */
    public static Attribute of(String name, String value) {
      return new Attribute(name, value, !Digits.only(value));
    }

    /** The value, empty without one. */
    public String text() {
      return value == null ? "" : value;
    }
  }

  public Link {
    attributes = List.copyOf(attributes);
  }

  public static Link to(String target) {
    return new Link(target, List.of());
  }

  /** A copy with one more attribute at the end. */
  public Link with(String name, String value) {
    List<Attribute> more = new ArrayList<>(attributes);
    more.add(Attribute.of(name, value));
    return new Link(target, more);
  }

  /** The value of the first attribute with a name. */
  public Optional<String> attribute(String name) {
    for (Attribute attribute : attributes) {
      if (attribute.name().equals(name)) {
        return Optional.of(attribute.text());
      }
    }
    return Optional.empty();
  }

  /** A copy with a function applied to the target and to every anchor. */
  public Link map(UnaryOperator<String> reference) {
    List<Attribute> mapped = new ArrayList<>(attributes.size());
    for (Attribute attribute : attributes) {
      mapped.add(
          attribute.name().equals(ANCHOR)
              ? new Attribute(ANCHOR, reference.apply(attribute.text()), true)
              : attribute);
    }
    return new Link(reference.apply(target), mapped);
  }
}
