package dev.vigil.gateway.launch;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.json.JsonWriter;
import org.springframework.boot.logging.structured.StructuredLoggingJsonMembersCustomizer;

/**
 * Adds the id of the event to each line of a log in JSON. A table maps logger and text to the id: a
 * text can be reworded under the same id, and libraries need no ids of ours.
 */
final class EventCodes implements StructuredLoggingJsonMembersCustomizer<ILoggingEvent> {
  static final String FILE = "/log-events.tsv";

  private final Map<Line, String> ids = read();

  /**
   * @param logger the class's simple name
   * @param text with its placeholders
   */
  record Line(String logger, String text) {}

  @Override
  public void customize(JsonWriter.Members<ILoggingEvent> members) {
    members.add("event.code", this::code).whenNotNull();
  }

  private @Nullable String code(ILoggingEvent event) {
    String logger = event.getLoggerName();
    return ids.get(new Line(logger.substring(logger.lastIndexOf('.') + 1), event.getMessage()));
  }

  /** Each line has an id, a logger and a text, separated by tabs. */
  static Map<Line, String> read() {
    try (InputStream in =
        Objects.requireNonNull(EventCodes.class.getResourceAsStream(FILE), FILE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.split("\t"))
          .collect(Collectors.toMap(cells -> new Line(cells[1], cells[2]), cells -> cells[0]));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
