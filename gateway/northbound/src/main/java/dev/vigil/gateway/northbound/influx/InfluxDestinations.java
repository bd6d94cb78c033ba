package dev.vigil.gateway.northbound.influx;

import dev.vigil.gateway.files.SecretFile;
import dev.vigil.gateway.northbound.Destination;
import dev.vigil.gateway.northbound.DestinationSettings;
import dev.vigil.gateway.northbound.DestinationSource;
import dev.vigil.gateway.northbound.OutboundHttp;
import dev.vigil.gateway.northbound.influx.InfluxDestination.Token;
import dev.vigil.mirror.MirrorQueries;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/** The databases in the settings that accept InfluxDB line protocol. */
@Component
class InfluxDestinations implements DestinationSource {
  private final List<Destination> destinations = new ArrayList<>();

  /**
   * @throws IOException with a message that begins with "cannot" and names a file of the settings
   */
  InfluxDestinations(DestinationSettings<InfluxProperties> all, MirrorQueries mirror, Clock clock)
      throws IOException {
    for (Map.Entry<String, InfluxProperties> entry : new TreeMap<>(all.byName()).entrySet()) {
      String property = "northbound.influxdb." + entry.getKey();
      InfluxProperties settings = entry.getValue();
      Token token = token(property, settings.tokenFile());
      token.read();
      destinations.add(
          new InfluxDestination(
              entry.getKey(),
              settings.replay(),
              Objects.requireNonNull(settings.url()),
              token,
              new OutboundHttp(property, settings.ca()),
              new InfluxPoints(settings, mirror),
              clock));
    }
  }

  /** Reads the file for each request, so that a new token needs no restart. */
  private static Token token(String property, String file) {
    return file.isEmpty()
        ? () -> ""
        : () -> SecretFile.read(property + ".token-file", "token", file);
  }

  @Override
  public List<Destination> all() {
    return List.copyOf(destinations);
  }
}
