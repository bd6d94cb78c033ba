package dev.vigil.gateway.northbound.email;

import dev.vigil.gateway.northbound.AlarmNotice;
import dev.vigil.gateway.northbound.AlarmNotices;
import dev.vigil.gateway.northbound.Destination;
import dev.vigil.gateway.northbound.Probe;
import dev.vigil.store.Change;
import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends raised and cleared alarms by e-mail, several in a message. If the server refuses a message
 * permanently, each alarm is sent alone, so that one alarm does not block the others.
 */
final class EmailDestination implements Destination {
  private static final Logger log = LoggerFactory.getLogger(EmailDestination.class);

  private final String name;
  private final EmailProperties settings;
  private final SmtpClient client;
  private final AlarmNotices alarms;
  private final AtomicLong refused = new AtomicLong();

  /**
   * Ids of the messages about a change that the server took or refused before the delivery failed.
   * The repetition leaves them out. Otherwise a server that limits the number of messages would get
   * the first ones again and again.
   */
  private final Set<String> settled = new HashSet<>();

  private volatile boolean closed;

  EmailDestination(String name, EmailProperties settings, SmtpClient client, AlarmNotices alarms) {
    this.name = name;
    this.settings = settings;
    this.client = client;
    this.alarms = alarms;
  }

  @Override
  public String name() {
    return "email:" + name;
  }

  /** Never, because old alarms are not news. */
  @Override
  public boolean replay() {
    return false;
  }

  @Override
  public boolean concerns(Change change) {
    return alarms.concerns(change);
  }

  /** Only the newest state of an alarm matters, so a superseded state is not a gap. */
  @Override
  public int readings(Change change) {
    return 0;
  }

  @Override
  public boolean connect() {
    return false;
  }

  @Override
  public void deliver(List<Change> changes, Consumer<Change> delivered) throws IOException {
    failIfClosed();
    List<AlarmNotice> notices = changes.stream().flatMap(this::reported).toList();
    if (notices.size() > 1 && settled.isEmpty() && isTaken(changes, notices)) {
      changes.forEach(delivered);
      return;
    }
    for (Change change : changes) {
      for (AlarmNotice notice : reported(change).toList()) {
        sendAlone(change, notice);
      }
      settled.clear();
      delivered.accept(change);
    }
  }

  private void failIfClosed() throws IOException {
    if (closed) {
      throw new IOException("the gateway is stopping");
    }
  }

  private boolean isTaken(List<Change> changes, List<AlarmNotice> notices) throws IOException {
    try {
      send(id(changes.getFirst()), changes.getLast().at(), notices);
      return true;
    } catch (SmtpClient.RefusedException e) {
      return false;
    }
  }

  private void sendAlone(Change change, AlarmNotice notice) throws IOException {
    String id = id(change) + "." + notice.id();
    if (settled.contains(id)) {
      return;
    }
    failIfClosed();
    try {
      send(id, change.at(), List.of(notice));
    } catch (SmtpClient.RefusedException e) {
      refused.incrementAndGet();
      log.warn(
          "{}: the server refused the message about alarm {} permanently: {}",
          name(),
          notice.id(),
          e.getMessage());
    }
    settled.add(id);
  }

  private String id(Change first) {
    return "vigil." + name + "." + first.position();
  }

  private void send(String id, Instant at, List<AlarmNotice> notices) throws IOException {
    EmailText text = new EmailText(settings.language());
    client.send(id, at, text.subject(notices), text.body(notices));
  }

  private Stream<AlarmNotice> reported(Change change) {
    return alarms.of(change).stream().filter(this::isReported);
  }

  private boolean isReported(AlarmNotice notice) {
    return settings.includes(notice.d())
        && settings.severity().includes(notice)
        && !"acknowledged".equals(notice.state());
  }

  @Override
  public Optional<Probe> probe() {
    return Optional.of(
        at -> {
          EmailText text = new EmailText(settings.language());
          String id = "vigil." + name + ".test." + at.toEpochMilli();
          return new Probe.Answer(true, client.send(id, at, text.testSubject(), text.testBody()));
        });
  }

  /** Does nothing, because receivers of alarms receive no readings. */
  @Override
  public void reportLost(long number) {}

  @Override
  public long refused() {
    return refused.get();
  }

  @Override
  public void close() {
    closed = true;
  }
}
