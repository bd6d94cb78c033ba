package dev.vigil.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.ConsoleAppender;
import dev.vigil.gateway.clock.ClockWatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.Environment;
import org.springframework.mock.env.MockEnvironment;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The log in JSON with the configuration of logback-spring.xml, and the ids of its events. */
class JsonLogTest {
  private static final Path ROOT = Path.of("../..");
  private static final Pattern STATEMENT =
      Pattern.compile(
          "\\blog\\s*\\.(info|warn|error)\\(\\s*((?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*\\+?\\s*)+)");
  private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([a-z-]+)` \\| ([a-z, ]+) \\| (\\w+) \\| (.*) \\|$");

  private final LoggerContext log = new LoggerContext();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @BeforeEach
  void open() throws Exception {
    log.setMDCAdapter(new LogbackMDCAdapter());
    log.putProperty("format", "json");
    log.putObject(
        Environment.class.getName(),
        new MockEnvironment()
            .withProperty("logging.structured.json.customizer", EventCodes.class.getName()));
    JoranConfigurator settings = new JoranConfigurator();
    settings.setContext(log);
    settings.doConfigure(
        Objects.requireNonNull(JsonLogTest.class.getResource("/logback-spring.xml"), "settings"));
    ((ConsoleAppender<ILoggingEvent>)
            Objects.requireNonNull(log.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("out")))
        .setOutputStream(out);
  }

  @AfterEach
  void close() {
    log.stop();
  }

  private JsonNode line() {
    String text = out.toString(StandardCharsets.UTF_8);
    assertThat(text.lines()).hasSize(1);
    return new JsonMapper().readTree(text);
  }

  @Test
  void aLineNamesItsEventAndLevel() {
    log.getLogger(ClockWatch.class)
        .warn("the clock is {} s behind the newest stored time: set it (is NTP running?)", 90);
    JsonNode line = line();
    assertThat(line.get("event.code").asString()).isEqualTo("clock-behind");
    assertThat(line.get("log").get("level").asString()).isEqualTo("WARN");
    assertThat(line.get("message").asString()).startsWith("the clock is 90 s behind");
    assertThat(line.get("@timestamp").asString()).matches("\\d{4}-.*Z");
  }

  @Test
  void aHostileNameAndAnExceptionStayInOneLine() {
    log.getLogger("dev.vigil.any")
        .error(
            "registration of {} failed", "a\n{\"b\":1}", new IllegalStateException("no\r\nline"));
    JsonNode line = line();
    assertThat(line.has("event.code")).isFalse();
    assertThat(line.get("message").asString()).isEqualTo("registration of a\n{\"b\":1} failed");
    assertThat(line.get("error").get("message").asString()).isEqualTo("no\r\nline");
  }

  @Test
  void theDocumentListsEveryIdWithItsLevelsAndText() throws IOException {
    Map<EventCodes.Line, Set<String>> levels = statements();
    Set<String> used = new TreeSet<>();
    EventCodes.read()
        .forEach(
            (line, id) ->
                used.add(id + " " + levels.get(line) + " " + line.logger() + " " + line.text()));
    Set<String> listed =
        ROW.matcher(Files.readString(ROOT.resolve("docs/log-events.md")))
            .results()
            .map(
                row ->
                    row.group(1)
                        + " "
                        + new TreeSet<>(Set.of(row.group(2).split(", ")))
                        + " "
                        + row.group(3)
                        + " "
                        + row.group(4))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(used).hasSizeGreaterThan(50).isEqualTo(listed);
    // An id without a line in the code would have no level.
    assertThat(used).noneMatch(line -> line.contains(" null "));
  }

  /** The lines that the code can log, with their levels. */
  private static Map<EventCodes.Line, Set<String>> statements() throws IOException {
    Map<EventCodes.Line, Set<String>> found =
        new TreeMap<>(java.util.Comparator.comparing(EventCodes.Line::toString));
    for (Path file : sources()) {
      String logger = file.getFileName().toString().replace(".java", "");
      Matcher statement = STATEMENT.matcher(Files.readString(file));
      while (statement.find()) {
        String text =
            LITERAL
                .matcher(statement.group(2))
                .results()
                .map(part -> part.group(1))
                .collect(Collectors.joining())
                .replace("\\\"", "\"");
        found
            .computeIfAbsent(new EventCodes.Line(logger, text), any -> new TreeSet<>())
            .add(statement.group(1).toLowerCase(Locale.ROOT));
      }
    }
    return found;
  }

  /** The sources of all modules; builds and other tests change what is beside them. */
  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String folder : List.of("", "gateway", "libraries")) {
      for (String module : Objects.requireNonNull(ROOT.resolve(folder).toFile().list())) {
        Path code = ROOT.resolve(folder).resolve(module).resolve("src/main/java");
        if (Files.isDirectory(code)) {
          try (Stream<Path> files = Files.walk(code)) {
            files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
          }
        }
      }
    }
    return sources;
  }
}
