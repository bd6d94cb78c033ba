package dev.vigil.mirror.senml;

/** What was measured. */
public sealed interface Value {
  record Number(double value) implements Value {}

  record Text(String value) implements Value {}

  record Bool(boolean value) implements Value {}

  /**
   * @param octets never changed by anyone
   */
  record Data(byte[] octets) implements Value {}
}
