package dev.vigil.gateway.commanders;

import java.io.Serial;

/** Thrown when a command cannot be sent; the message is for the person at the terminal. */
public final class CommandException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  public CommandException(String message) {
    super(message);
  }
}
