package dev.vigil.gateway.northbound;

import java.util.List;

/** The destinations of one kind, as the settings name them. */
@FunctionalInterface
public interface DestinationSource {
  List<Destination> all();
}
