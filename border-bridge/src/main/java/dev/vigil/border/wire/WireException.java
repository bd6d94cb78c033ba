package dev.vigil.border.wire;

/**
 * Malformed or refused octets. The place that catches it drops the packet and counts the {@link
 * #reason()}. It has no stack trace: hostile octets must be cheap to refuse.
 */
public final class WireException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Drop reason;

  public WireException(Drop reason) {
    this(reason, reason.label());
  }

  /**
   * @param detail for logs; never contains keys or plaintext
   */
  public WireException(Drop reason, String detail) {
    super(detail, null, false, false);
    this.reason = reason;
  }

  public Drop reason() {
    return reason;
  }
}
