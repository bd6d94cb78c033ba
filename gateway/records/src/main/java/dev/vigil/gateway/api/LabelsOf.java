package dev.vigil.gateway.api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Marks a string in a response, or a list of strings, whose values are labels of an enum's
 * constants.
 */
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface LabelsOf {
  Class<? extends Enum<?>> value();

  /** Labels: the names of constants in lower case with hyphens. */
  final class Label {
    private Label() {}

    public static String of(Enum<?> constant) {
      return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static List<String> all(Class<? extends Enum<?>> type) {
      return Arrays.stream(type.getEnumConstants()).map(Label::of).toList();
    }
  }
}
