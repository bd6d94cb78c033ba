package dev.vigil.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.ConsoleAppender;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.event.Level;

/** The log with the configuration of logback-spring.xml. */
class LogTest {
  private static final String FORGED = "2026-11-22T00:00:00.000Z ERROR Store: all is lost";

  private final LoggerContext log = new LoggerContext();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @BeforeEach
  void open() throws Exception {
    log.setMDCAdapter(new LogbackMDCAdapter());
    JoranConfigurator settings = new JoranConfigurator();
    settings.setContext(log);
    settings.doConfigure(
        Objects.requireNonNull(LogTest.class.getResource("/logback-spring.xml"), "settings"));
    ((ConsoleAppender<ILoggingEvent>)
            Objects.requireNonNull(log.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("out")))
        .setOutputStream(out);
  }

  @AfterEach
  void close() {
    log.stop();
  }

  private String output() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aHostileNameCannotBreakALogLine() {
    String controls =
        IntStream.concat(
                IntStream.rangeClosed(0, 0x9f).filter(Character::isISOControl),
                // Line and paragraph separators, bidirectional marks.
                IntStream.of(0x2028, 0x2029, 0x202e, 0x2066, 0xfeff))
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
    log.getLogger("dev.vigil.any").warn("registration of {} passed over", "a" + controls + FORGED);
    String line = output().stripTrailing();
    assertThat(line.codePoints().filter(one -> controls.indexOf(one) >= 0)).isEmpty();
    assertThat(line)
        .contains("a" + "?".repeat(controls.length()) + FORGED)
        .doesNotStartWith("2026-11-22T00");
  }

  @Test
  void ordinaryTextIsLoggedUnchanged() {
    log.getLogger("dev.vigil.any").info("Zoë's «pump» 7 über 20 °C, 温度");
    assertThat(output())
        .endsWith("INFO  any: Zoë's «pump» 7 über 20 °C, 温度" + System.lineSeparator());
  }

  @Test
  void anExceptionsMessageCannotForgeALogLine() {
    Exception cause = new IllegalArgumentException("no number: 1\r\n" + FORGED + "\u001b[2J");
    Exception thrown = new IllegalStateException("cannot read\n" + FORGED, cause);
    log.getLogger("dev.vigil.any").error("a request failed", thrown);
    List<String> lines = output().lines().toList();
    assertThat(lines.getFirst()).endsWith("ERROR any: a request failed");
    assertThat(lines.subList(1, lines.size()))
        .hasSizeGreaterThan(4)
        .allSatisfy(line -> assertThat(line).startsWith("  "));
    assertThat(output())
        .contains("IllegalStateException: cannot read", "Caused by: ", "at " + getClass().getName())
        .doesNotContain("\u001b", "\r");
  }

  @ParameterizedTest
  @CsvSource({
    "dev.vigil.gateway.store.sqlite.SqliteStore, INFO",
    "org.sqlite, WARN",
    // Any datagram, handshake or request can make these warn.
    "org.eclipse.californium.core.network.UdpMatcher, ERROR",
    "org.eclipse.californium.scandium.DTLSConnector, ERROR",
    "org.springframework.web.servlet.DispatcherServlet, ERROR",
  })
  void loggersThatStrangersCanTriggerLogOnlyErrors(String logger, Level least) {
    for (Level level : Level.values()) {
      log.getLogger(logger).atLevel(level).log("a line");
      assertThat(output().contains(level.toString()))
          .as(logger + " " + level)
          .isEqualTo(level.compareTo(least) <= 0);
    }
  }
}
