package dev.vigil.coap.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RateLimitedLogTest {
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);
  private final ListAppender<ILoggingEvent> out = new ListAppender<>();
  private RateLimitedLog log;

  @BeforeEach
  void open() {
    var logger = new LoggerContext().getLogger("test");
    out.start();
    logger.addAppender(out);
    log = new RateLimitedLog(logger, nanos::get);
  }

  private List<String> lines() {
    return out.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  private void error(int times) {
    for (int i = 1; i <= times; i++) {
      log.error("request {} failed", i, new IllegalStateException("x"));
    }
  }

  @Test
  void writesABurstThenOneLineAMinuteAndTheNumberOmitted() {
    error(100);
    assertThat(lines()).hasSize(5).endsWith("request 5 failed");
    assertThat(out.list.getLast().getThrowableProxy().getMessage()).isEqualTo("x");

    nanos.addAndGet(TimeUnit.SECONDS.toNanos(59));
    error(1);
    assertThat(lines()).hasSize(5);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
    error(10);
    assertThat(lines().subList(5, lines().size()))
        .containsExactly("omitted 96 lines like the next one", "request 1 failed");
  }

  @Test
  void aQuietHourRestoresOnlyTheBurst() {
    error(100);
    nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
    out.list.clear();
    error(100);
    assertThat(lines()).hasSize(6).startsWith("omitted 95 lines like the next one");
  }

  @Test
  void otherTextsHaveTheirOwnBurst() {
    error(100);
    log.warn("observer {} is gone", 7);
    assertThat(lines()).hasSize(6).endsWith("observer 7 is gone");
  }
}
