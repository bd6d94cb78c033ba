package dev.vigil.signed.senml;

/** The value of a record. */
public sealed interface SenmlValue {
  record Number(double value) implements SenmlValue {}

  record Text(String value) implements SenmlValue {}

  record Bool(boolean value) implements SenmlValue {}

  /**
   * @param octets shared; must not be changed
   */
  record Data(byte[] octets) implements SenmlValue {}
}
