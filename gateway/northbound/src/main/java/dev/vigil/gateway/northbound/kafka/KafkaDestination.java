package dev.vigil.gateway.northbound.kafka;

import dev.vigil.gateway.northbound.Destination;
import dev.vigil.gateway.northbound.Probe;
import dev.vigil.gateway.northbound.events.CloudEvent;
import dev.vigil.gateway.northbound.events.CloudEvents;
import dev.vigil.store.Change;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A topic that receives events. A page of changes is sent at once; its changes count as delivered
 * in order, when the brokers acknowledge them. A failure leads to a new producer, so that nothing
 * from the failed attempt is in flight when the page is repeated.
 */
final class KafkaDestination implements Destination {
  private static final Logger log = LoggerFactory.getLogger(KafkaDestination.class);
  private static final byte[] CONTENT_TYPE =
      "application/cloudevents+json; charset=UTF-8".getBytes(StandardCharsets.US_ASCII);

  private final String name;
  private final KafkaProperties settings;
  private final KafkaClient client;
  private final CloudEvents events;
  private final Clock clock;
  private final AtomicLong refused = new AtomicLong();
  private volatile @Nullable Producer<String, String> producer;
  private volatile boolean closed;

  /** An event in flight and its change. */
  private record Sent(Change change, CloudEvent event, Future<RecordMetadata> acknowledged) {}

  KafkaDestination(
      String name, KafkaProperties settings, KafkaClient client, CloudEvents events, Clock clock) {
    this.name = name;
    this.settings = settings;
    this.client = client;
    this.events = events;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "kafka:" + name;
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
  public boolean connect() throws IOException, InterruptedException {
    if (producer != null) {
      return false;
    }
    producer = client.producer();
    if (closed) {
      close();
    }
    attempt(present -> present.partitionsFor(settings.topic()));
    return true;
  }

  @Override
  public void deliver(List<Change> changes, Consumer<Change> delivered)
      throws IOException, InterruptedException {
    attempt(
        present -> {
          List<Sent> sent = new ArrayList<>();
          for (Change change : changes) {
            for (CloudEvent event : events.of(change)) {
              Future<RecordMetadata> acknowledged = send(present, change.id(), event);
              if (acknowledged.isDone()) {
                // A failure ends the page, because without a broker each further event would also
                // wait.
                await(event, acknowledged);
              } else {
                sent.add(new Sent(change, event, acknowledged));
              }
            }
          }
          int next = 0;
          for (Change change : changes) {
            while (next < sent.size() && sent.get(next).change() == change) {
              Sent one = sent.get(next++);
              await(one.event(), one.acknowledged());
            }
            delivered.accept(change);
          }
        });
  }

  @Override
  public void reportLost(long number) throws IOException, InterruptedException {
    CloudEvent event = CloudEvents.lost(number, clock.instant());
    attempt(present -> await(event, send(present, "lost", event)));
  }

  private Future<RecordMetadata> send(
      Producer<String, String> present, String key, CloudEvent event) {
    ProducerRecord<String, String> sent = new ProducerRecord<>(settings.topic(), key, event.json());
    sent.headers().add("content-type", CONTENT_TYPE);
    return present.send(sent);
  }

  /** Waits until the brokers have the event. Drops an event that no broker will ever accept. */
  private void await(CloudEvent event, Future<RecordMetadata> acknowledged)
      throws InterruptedException {
    try {
      acknowledged.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RecordTooLargeException
          || e.getCause() instanceof InvalidRecordException) {
        refused.incrementAndGet();
        log.warn("{} refused event {} permanently: {}", name(), event.id(), reason(e));
      } else {
        throw new KafkaException(reason(e), e.getCause());
      }
    }
  }

  /** The message of the first cause that has one. */
  private static String reason(Exception e) {
    Throwable cause = e.getCause();
    String message = cause == null ? e.getMessage() : cause.getMessage();
    return message == null ? "the brokers do not answer" : message;
  }

  @FunctionalInterface
  private interface Attempt {
    void with(Producer<String, String> present) throws InterruptedException;
  }

  private void attempt(Attempt attempt) throws IOException, InterruptedException {
    Producer<String, String> present = producer;
    boolean complete = false;
    try {
      if (present == null) {
        throw new IOException("not connected");
      }
      attempt.with(present);
      complete = true;
    } catch (InterruptException e) {
      throw new InterruptedException(e.getMessage());
    } catch (KafkaException | IllegalStateException e) {
      throw new IOException(
          e.getMessage() == null ? "the brokers do not answer" : e.getMessage(), e);
    } finally {
      if (!complete && present != null) {
        producer = null;
        present.close(Duration.ZERO);
      }
    }
  }

  /** Uses a producer of its own, because any thread may send a test. */
  @Override
  public Optional<Probe> probe() {
    return Optional.of(
        at -> {
          try (Producer<String, String> own = client.producer()) {
            RecordMetadata sent = send(own, "test", CloudEvents.test(name(), at)).get();
            return new Probe.Answer(true, "the brokers acknowledged " + sent);
          } catch (ExecutionException | KafkaException e) {
            return new Probe.Answer(false, reason(e));
          }
        });
  }

  @Override
  public long refused() {
    return refused.get();
  }

  @Override
  public void close() {
    closed = true;
    Producer<String, String> present = producer;
    if (present != null) {
      present.close(Duration.ZERO);
    }
  }
}
