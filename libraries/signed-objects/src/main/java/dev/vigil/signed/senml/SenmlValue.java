package dev.vigil.signed.senml;

import java.util.regex.Pattern;

/** The value of a record. */
public sealed interface SenmlValue {
  /** A decimal number of bounded length, as people write it. */
  Pattern DECIMAL = Pattern.compile("-?[0-9]{1,15}(\\.[0-9]{1,9})?");

  /** A written value: true or false, a number, otherwise a text. */
  static SenmlValue ofWord(String word) {
    if (word.equals("true") || word.equals("false")) {
      return new Bool(word.equals("true"));
    }
    return DECIMAL.matcher(word).matches() ? new Number(Double.parseDouble(word)) : new Text(word);
  }

  record Number(double value) implements SenmlValue {}

  record Text(String value) implements SenmlValue {}

  record Bool(boolean value) implements SenmlValue {}

  /**
   * @param octets shared; must not be changed
   */
  record Data(byte[] octets) implements SenmlValue {}
}
