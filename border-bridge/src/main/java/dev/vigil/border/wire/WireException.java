package dev.vigil.border.wire;

/**
 * Received octets that are not what they should be. Caught where the packet is dropped and counted,
 * by its {@link #reason()}. It carries no stack trace: hostile octets must be cheap to refuse.
 */
public final class WireException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Drop reason;

  public WireException(Drop reason) {
    this(reason, reason.label());
  }

  /**
   * @param detail for a reader of logs; never contains keys or plaintext
   */
  public WireException(Drop reason, String detail) {
    super(detail, null, false, false);
    this.reason = reason;
  }

  public Drop reason() {
    return reason;
  }
}
