package dev.vigil.gateway.northbound;

import java.util.List;

/** The destinations of one kind from the settings. */
@FunctionalInterface
public interface DestinationSource {
  List<Destination> all();
}
