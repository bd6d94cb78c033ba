package dev.vigil.gateway.cli;

import java.io.Serial;

/** Thrown when a verb fails; the message is one line for the operator. */
public final class CliException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  public CliException(String line) {
    super(line);
  }
}
