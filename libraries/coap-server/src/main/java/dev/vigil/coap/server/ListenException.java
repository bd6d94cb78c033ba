package dev.vigil.coap.server;

import java.io.IOException;
import java.io.Serial;
import java.net.URI;

/** The server cannot listen on an address, for instance because another process already does. */
public final class ListenException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  private final URI uri;

  ListenException(URI uri, IOException cause) {
    super("cannot listen on " + uri + ": " + cause.getMessage(), cause);
    this.uri = uri;
  }

  /** Scheme, host and port of the address. */
  public URI uri() {
    return uri;
  }
}
