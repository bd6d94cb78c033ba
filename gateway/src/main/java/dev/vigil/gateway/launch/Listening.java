package dev.vigil.gateway.launch;

import java.util.List;

/** Something that can be reached once the gateway runs; named in the {@code ready} line. */
public interface Listening {
  /** The order in that line, as Spring's order. */
  int COAP = 1;

  int HTTP = 2;
  int RADIO = 3;

  /** URIs with the ports that were taken. */
  List<String> addresses();
}
