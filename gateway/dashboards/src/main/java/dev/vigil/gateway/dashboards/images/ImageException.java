package dev.vigil.gateway.dashboards.images;

import java.io.Serial;

/** Octets that are no image of an accepted format; the message is the predicate of a sentence. */
public final class ImageException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  ImageException(String fault) {
    super(fault);
  }
}
