package dev.vigil.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class LogRateLimitTest {
  private final AtomicLong now = new AtomicLong();
  private final LoggerContext context = new LoggerContext();
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger log = context.getLogger("dev.vigil.Sample");

  @BeforeEach
  void addFilter() {
    context.addTurboFilter(new LogRateLimit(now::get));
    lines.start();
    context.getLogger("ROOT").addAppender(lines);
  }

  @Test
  void linesOfOneEventAreLimitedAndCounted() {
    for (int i = 0; i < LogRateLimit.LINES + 12; i++) {
      log.warn("a stranger sent {}", i);
    }
    assertThat(lines.list).hasSize(LogRateLimit.LINES);

    now.addAndGet(TimeUnit.MINUTES.toNanos(1));
    log.warn("a stranger sent {}", "more");

    assertThat(lines.list.subList(LogRateLimit.LINES, lines.list.size()))
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "left out 12 more lines of the event Sample within a minute", "a stranger sent more");
  }

  @Test
  void informationIsNotLimited() {
    for (int i = 0; i < 2 * LogRateLimit.LINES; i++) {
      log.info("endpoint {}", i);
    }
    assertThat(lines.list).hasSize(2 * LogRateLimit.LINES);
  }
}
