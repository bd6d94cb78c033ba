package dev.vigil.border.ieee802154;

/** The key identifier of a frame, in modes 0 to 3 (802.15.4-2006, table 96). */
public sealed interface KeyId {
  /** Mode 0: the key follows from the addresses. */
  Implicit IMPLICIT = new Implicit();

  int mode();

  /** Octets of the key identifier field. */
  int length();

  /** Mode 0. */
  record Implicit() implements KeyId {
    @Override
    public int mode() {
      return 0;
    }

    @Override
    public int length() {
      return 0;
    }
  }

  /**
   * Mode 1: an index under the network's default key source.
   *
   * @param index 0 to 255 (the standard starts at 1; Contiki-NG uses 0)
   */
  record Index(int index) implements KeyId {
    @Override
    public int mode() {
      return 1;
    }

    @Override
    public int length() {
      return 1;
    }
  }

  /** Mode 2: a key source of four octets, read as one big-endian number, and an index. */
  record Source4(int source, int index) implements KeyId {
    @Override
    public int mode() {
      return 2;
    }

    @Override
    public int length() {
      return 5;
    }
  }

  /** Mode 3: a key source of eight octets, read as one big-endian number, and an index. */
  record Source8(long source, int index) implements KeyId {
    @Override
    public int mode() {
      return 3;
    }

    @Override
    public int length() {
      return 9;
    }
  }
}
