package dev.vigil.gateway.dashboards.contents;

import dev.vigil.gateway.streams.OpenStreams;
import org.springframework.stereotype.Component;

/** The open streams of events of dashboards. */
@Component
final class DashboardStreams extends OpenStreams {
  private static final int MOST = 128;
  private static final int RESERVED = 32;

  DashboardStreams() {
    super(MOST, RESERVED);
  }
}
