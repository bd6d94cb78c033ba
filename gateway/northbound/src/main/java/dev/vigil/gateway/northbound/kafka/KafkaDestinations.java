package dev.vigil.gateway.northbound.kafka;

import dev.vigil.gateway.northbound.AlarmNotices;
import dev.vigil.gateway.northbound.Destination;
import dev.vigil.gateway.northbound.DestinationSettings;
import dev.vigil.gateway.northbound.DestinationSource;
import dev.vigil.gateway.northbound.events.CloudEvents;
import dev.vigil.mirror.MirrorQueries;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.stereotype.Component;

/** The Kafka clusters in the settings. */
@Component
class KafkaDestinations implements DestinationSource {
  private static final Duration TIMEOUT = Duration.ofSeconds(15);

  private final List<Destination> destinations = new ArrayList<>();

  /**
   * @throws IOException with a message that begins with "cannot" and names a file of the settings
   */
  KafkaDestinations(
      DestinationSettings<KafkaProperties> all,
      MirrorQueries mirror,
      AlarmNotices alarms,
      Clock clock)
      throws IOException {
    for (Map.Entry<String, KafkaProperties> entry : new TreeMap<>(all.byName()).entrySet()) {
      KafkaProperties settings = entry.getValue();
      KafkaClient client = new KafkaClient("northbound.kafka." + entry.getKey(), settings, TIMEOUT);
      client.requireFiles();
      destinations.add(
          new KafkaDestination(
              entry.getKey(),
              settings,
              client,
              new CloudEvents(settings.filter(), mirror, alarms),
              clock));
    }
    if (!destinations.isEmpty()) {
      // The client would log a warning for each connection attempt; the delivery loop reports a
      // failure once.
      LoggingSystem.get(KafkaDestinations.class.getClassLoader())
          .setLogLevel("org.apache.kafka", LogLevel.OFF);
    }
  }

  @Override
  public List<Destination> all() {
    return List.copyOf(destinations);
  }
}
