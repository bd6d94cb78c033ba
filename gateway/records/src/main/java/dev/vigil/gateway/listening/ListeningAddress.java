package dev.vigil.gateway.listening;

import java.util.List;

/** A server whose addresses the {@code ready} line names. */
public interface ListeningAddress {
  /** The order in the line, as a Spring order. */
  int COAP = 1;

  int HTTP = 2;
  int RADIO = 3;

  /** URIs with the actual ports. */
  List<String> addresses();
}
