package dev.vigil.gateway.cli.fetch;

import dev.vigil.gateway.archive.Csv;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code fetch}: prints readings that a mote has stored, through a running gateway. */
@Command(
    name = "fetch",
    mixinStandardHelpOptions = true,
    description = {
      "Asks a mote for readings that it has stored (vigil-mote --store) and prints them as CSV,"
          + " through a running gateway.",
      "The gateway's file of associations needs the mote's line `store`, and in and out for the"
          + " requests."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:everything was delivered",
      "1:nothing, or not all, was delivered: the last line says why",
      "2:a wrong option",
      "3:delivered except for blocks that are damaged or did not arrive, each named"
    })
public final class FetchCommand implements Callable<Integer> {
  private static final int INCOMPLETE = 3;
  private static final Duration TIMEOUT = Duration.ofMinutes(3);
  private static final String HEADER = "time,sensor,value,unit,sequence,block";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--mote",
      paramLabel = "ADDRESS",
      required = true,
      description = "Its mesh address, for instance fd00::202:2:2:2.")
  private String mote = "";

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "As 2026-11-20T12:00:00Z, included (default: the oldest).")
  private @Nullable String from;

  @Option(names = "--to", paramLabel = "TIME", description = "Included (default: the newest).")
  private @Nullable String to;

  @Option(
      names = "--rekey",
      description =
          "Instead: has the mote encrypt all that it has stored under the second line `store` of"
              + " both files of associations.")
  private boolean rekey;

  @Option(
      names = "--gateway",
      paramLabel = "URL",
      defaultValue = "http://localhost:8080",
      description = "(default: $${DEFAULT-VALUE}).")
  private URI gateway = URI.create("http://localhost:8080");

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      defaultValue = "${env:VIGIL_DATA_DIR:-data}",
      description = "The data folder, which has the operator's token (default: ./data).")
  private Path dataDir = Path.of("data");

  /** The gateway refused, or cannot be asked; the message is one line. */
  private static final class FetchException extends Exception {
    @java.io.Serial private static final long serialVersionUID = 1L;

    FetchException(String line) {
      super(line);
    }
  }

  @Override
  public Integer call() {
    checkRange();
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    List<String> lost = new ArrayList<>();
    try (HttpClient http = HttpClient.newHttpClient()) {
      String token = token();
      if (rekey) {
        rekey(http, token, out);
        return CommandLine.ExitCode.OK;
      }
      long rows = 0;
      String after = "0";
      while (!after.isEmpty()) {
        JsonNode page = page(http, token, after);
        if (after.equals("0")) {
          out.println(HEADER);
        }
        for (JsonNode reading : page.path("readings")) {
          out.println(row(reading));
          rows++;
        }
        page.path("corrupted").forEach(one -> lost.add("block " + one.asLong() + " is damaged"));
        page.path("missing").forEach(one -> lost.add("block " + one.asLong() + " did not arrive"));
        after = next(page, after);
        out.flush();
      }
      lost.forEach(line -> err.println("vigil: " + line + ": left out"));
      if (rows == 0 && lost.isEmpty()) {
        err.println("vigil: " + mote + " has stored nothing in this range");
      }
      return lost.isEmpty() ? CommandLine.ExitCode.OK : INCOMPLETE;
    } catch (FetchException e) {
      err.println("vigil: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return CommandLine.ExitCode.SOFTWARE;
  }

  /** Ends when nothing is left under the previous key. */
  private void rekey(HttpClient http, String token, PrintWriter out)
      throws FetchException, InterruptedException {
    long blocks = 0;
    long segments;
    do {
      JsonNode answer = ask(http, token, "/rekey?mote=" + encoded(mote) + "&more=" + (blocks > 0));
      long now = answer.path("blocks").asLong();
      blocks += now;
      segments = answer.path("segments").asLong();
      if (now == 0 && segments > 0) {
        throw new FetchException(
            "%s encrypted nothing more, and %d segments are left: its storage may be failing"
                .formatted(mote, segments));
      }
    } while (segments > 0);
    out.println(
        "%s: %d blocks encrypted anew, none is left under the previous key"
            .formatted(mote, blocks));
  }

  private void checkRange() {
    if (rekey && (from != null || to != null)) {
      throw new ParameterException(
          spec.commandLine(), "--rekey is for all blocks: leave out --from and --to");
    }
    Instant begin = time("--from", from);
    Instant end = time("--to", to);
    if (begin != null && end != null && begin.isAfter(end)) {
      throw new ParameterException(spec.commandLine(), "--from is later than --to: exchange them");
    }
  }

  private @Nullable Instant time(String option, @Nullable String text) {
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new ParameterException(
          spec.commandLine(), option + " " + text + ": give a time as 2026-11-20T12:00:00Z");
    }
  }

  private String token() throws FetchException {
    Path file = dataDir.resolve("operator.token");
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new FetchException(
          "cannot read " + file + ": name the gateway's data folder with --data-dir");
    }
  }

  /** Where the next page begins, behind this one; empty at the end. */
  private static String next(JsonNode page, String after) throws FetchException {
    if (!page.path("next").isNumber()) {
      return "";
    }
    long next = page.path("next").asLong();
    if (next <= Long.parseLong(after)) {
      throw new FetchException(
          "the gateway's answer repeats: it goes on at block %d after block %s"
              .formatted(next, after));
    }
    return Long.toString(next);
  }

  private JsonNode page(HttpClient http, String token, String after)
      throws FetchException, InterruptedException {
    StringBuilder query = new StringBuilder("?mote=" + encoded(mote) + "&after=" + after);
    if (from != null) {
      query.append("&from=").append(encoded(from));
    }
    if (to != null) {
      query.append("&to=").append(encoded(to));
    }
    return ask(http, token, query.toString());
  }

  private JsonNode ask(HttpClient http, String token, String query)
      throws FetchException, InterruptedException {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(gateway.resolve("/api/network/stored-readings" + query))
              .header("Authorization", "Bearer " + token)
              .timeout(TIMEOUT)
              .POST(HttpRequest.BodyPublishers.noBody())
              .build();
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      JsonNode body = JsonMapper.shared().readTree(answer.body());
      if (answer.statusCode() != 200) {
        String why = body.path("detail").asString("");
        throw new FetchException(
            printable(why.isEmpty() ? gateway + " answered " + answer.statusCode() : why));
      }
      return body;
    } catch (IOException | IllegalArgumentException | JacksonException e) {
      throw new FetchException(
          "no gateway answers at " + gateway + ": start it, or name another with --gateway");
    }
  }

  private static String row(JsonNode reading) {
    return String.join(
        ",",
        reading.path("time").asString(),
        Csv.text(printable(reading.path("sensor").asString())),
        reading.path("value").decimalValue().toPlainString(),
        Csv.text(printable(reading.path("unit").asString())),
        reading.path("sequence").asString(),
        reading.path("block").asString());
  }

  /** Text of a mote must not control the terminal. */
  private static String printable(String text) {
    return text.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
