package dev.vigil.gateway.northbound.webhook;

import dev.vigil.gateway.northbound.AlarmNotices;
import dev.vigil.gateway.northbound.Destination;
import dev.vigil.gateway.northbound.DestinationSettings;
import dev.vigil.gateway.northbound.DestinationSource;
import dev.vigil.gateway.northbound.events.CloudEvents;
import dev.vigil.gateway.northbound.messages.EventSink;
import dev.vigil.gateway.northbound.messages.EventSinks;
import dev.vigil.mirror.MirrorQueries;
import java.io.IOException;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/** The webhooks in the settings. */
@Component
class WebhookDestinations implements DestinationSource, EventSinks {
  private final Map<String, WebhookDestination> webhooks = new TreeMap<>();

  /**
   * @throws IOException with a message that begins with "cannot" and names a file of the settings
   */
  WebhookDestinations(
      DestinationSettings<WebhookProperties> all,
      MirrorQueries mirror,
      AlarmNotices alarms,
      DeadLetters deadLetters,
      Clock clock)
      throws IOException {
    for (Map.Entry<String, WebhookProperties> entry : all.byName().entrySet()) {
      String name = entry.getKey();
      WebhookProperties settings = entry.getValue();
      webhooks.put(
          name,
          new WebhookDestination(
              name,
              settings,
              new WebhookClient(
                  "northbound.webhook." + name,
                  Objects.requireNonNull(settings.url()),
                  settings,
                  alarms::link,
                  clock),
              new CloudEvents(settings.filter(), mirror, alarms),
              deadLetters,
              clock));
    }
  }

  @Override
  public List<Destination> all() {
    return List.copyOf(webhooks.values());
  }

  @Override
  public List<EventSink> eventSinks() {
    return List.copyOf(webhooks.values());
  }

  /** The webhooks by name. */
  Collection<WebhookDestination> webhooks() {
    return webhooks.values();
  }

  Optional<WebhookDestination> find(String name) {
    return Optional.ofNullable(webhooks.get(name));
  }
}
