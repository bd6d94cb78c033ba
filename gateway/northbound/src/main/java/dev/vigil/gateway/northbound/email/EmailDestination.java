package dev.vigil.gateway.northbound.email;

import dev.vigil.gateway.northbound.AlarmNotice;
import dev.vigil.gateway.northbound.AlarmNotices;
import dev.vigil.gateway.northbound.Destination;
import dev.vigil.gateway.northbound.Probe;
import dev.vigil.store.Change;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends raised and cleared alarms by e-mail, several in a message. If the server refuses a message
 * permanently, each change is sent alone, so that one alarm does not block the others.
 */
final class EmailDestination implements Destination {
  private static final Logger log = LoggerFactory.getLogger(EmailDestination.class);

  private final String name;
  private final EmailProperties settings;
  private final SmtpClient client;
  private final AlarmNotices alarms;
  private final AtomicLong refused = new AtomicLong();
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
    if (closed) {
      throw new IOException("the gateway is stopping");
    }
    List<AlarmNotice> notices =
        changes.stream()
            .flatMap(change -> alarms.of(change).stream())
            .filter(this::isReported)
            .toList();
    if (!notices.isEmpty()) {
      EmailText text = new EmailText(settings.language());
      try {
        client.send(
            "vigil." + name + "." + changes.getFirst().position(),
            changes.getLast().at(),
            text.subject(notices),
            text.body(notices));
      } catch (SmtpClient.RefusedException e) {
        if (changes.size() > 1) {
          for (Change change : changes) {
            deliver(List.of(change), delivered);
          }
          return;
        }
        refused.incrementAndGet();
        log.warn(
            "{}: the server refused the message about alarm {} permanently: {}",
            name(),
            notices.getFirst().id(),
            e.getMessage());
      }
    }
    changes.forEach(delivered);
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
