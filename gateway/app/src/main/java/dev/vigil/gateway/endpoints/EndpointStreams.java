package dev.vigil.gateway.endpoints;

import dev.vigil.gateway.streams.OpenStreams;
import org.springframework.stereotype.Component;

/** The open streams of events of all endpoints. */
@Component
final class EndpointStreams extends OpenStreams {
  private static final int MOST = 256;
  private static final int RESERVED = 64;

  EndpointStreams() {
    super(MOST, RESERVED);
  }
}
