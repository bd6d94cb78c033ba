package dev.vigil.gateway.northbound.webhook;

import dev.vigil.gateway.northbound.Destination;
import dev.vigil.gateway.northbound.Probe;
import dev.vigil.gateway.northbound.events.CloudEvent;
import dev.vigil.gateway.northbound.events.CloudEvents;
import dev.vigil.gateway.northbound.messages.EventSink;
import dev.vigil.gateway.northbound.messages.OutgoingEvent;
import dev.vigil.store.Change;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server that receives events, one at a time. */
final class WebhookDestination implements Destination, EventSink {
  private static final Logger log = LoggerFactory.getLogger(WebhookDestination.class);

  private final String webhook;
  private final WebhookProperties settings;
  private final WebhookClient client;
  private final CloudEvents events;
  private final DeadLetters deadLetters;
  private final Clock clock;
  private final AtomicLong refused = new AtomicLong();

  WebhookDestination(
      String webhook,
      WebhookProperties settings,
      WebhookClient client,
      CloudEvents events,
      DeadLetters deadLetters,
      Clock clock) {
    this.webhook = webhook;
    this.settings = settings;
    this.client = client;
    this.events = events;
    this.deadLetters = deadLetters;
    this.clock = clock;
  }

  String webhook() {
    return webhook;
  }

  @Override
  public String name() {
    return "webhook:" + webhook;
  }

  @Override
  public boolean replay() {
    return settings.replay();
  }

  @Override
  public boolean concerns(Change change) {
    return events.concerns(change);
  }

  @Override
  public int readings(Change change) {
    return events.readings(change);
  }

  @Override
  public boolean connect() {
    return false;
  }

  @Override
  public void deliver(List<Change> changes, Consumer<Change> delivered)
      throws IOException, InterruptedException {
    for (Change change : changes) {
      for (CloudEvent event : events.of(change)) {
        send(event);
      }
      delivered.accept(change);
    }
  }

  private void send(CloudEvent event) throws IOException, InterruptedException {
    if (!client.send(event)) {
      deadLetters.keep(webhook, event);
      refused.incrementAndGet();
      log.warn(
          "{} refused event {}; it waits at /api/webhooks/{}/dead-letters",
          name(),
          event.id(),
          webhook);
    }
  }

  @Override
  public void reportLost(long number) throws IOException, InterruptedException {
    send(CloudEvents.lost(number, clock.instant()));
  }

  @Override
  public long refused() {
    return refused.get();
  }

  @Override
  public Optional<Probe> probe() {
    return Optional.of(at -> client.probe(CloudEvents.test(name(), at)));
  }

  @Override
  public boolean includes(String domain) {
    return settings.filter().includes(domain);
  }

  @Override
  public boolean send(OutgoingEvent event) throws IOException, InterruptedException {
    return client.send(CloudEvents.of(event));
  }

  /** Sends an event again. */
  boolean replay(CloudEvent event) throws IOException, InterruptedException {
    return client.send(event);
  }

  @Override
  public void close() {
    client.close();
  }
}
