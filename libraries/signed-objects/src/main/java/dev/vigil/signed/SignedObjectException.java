package dev.vigil.signed;

import java.io.Serial;

/**
 * Received octets are not a valid signed object. Carries the fault and one line for the sender. The
 * library does not depend on a transport; services map the fault to their own response codes.
 */
public final class SignedObjectException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final Fault fault;
  private final String line;

  /**
   * @param line diagnostic of one line, without control characters
   */
  public SignedObjectException(Fault fault, String line) {
    // Invalid input is normal; a stack trace would cost more than the check itself.
    super(line, null, false, false);
    this.fault = fault;
    this.line = line;
  }

  public static SignedObjectException malformed(String line) {
    return new SignedObjectException(Fault.MALFORMED, line);
  }

  public Fault fault() {
    return fault;
  }

  public String line() {
    return line;
  }
}
