package dev.vigil.gateway.cli.fetch;

import dev.vigil.gateway.archive.Csv;
import dev.vigil.gateway.cli.CliException;
import dev.vigil.gateway.cli.ClientOptions;
import dev.vigil.gateway.cli.DataFolderOption;
import dev.vigil.gateway.cli.GatewayClient;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code fetch}: fetches a mote's stored readings through a running gateway and prints them. */
@Command(
    name = "fetch",
    mixinStandardHelpOptions = true,
    description = {
      "Fetches a mote's stored readings (vigil-mote --store) through a running gateway and prints"
          + " them as CSV.",
      "The gateway's file of associations needs the mote's line `store`, and in and out for the"
          + " requests."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:all readings were delivered",
      "1:some or all readings were not delivered: the last line names the reason",
      "2:a wrong option",
      "3:delivered, except for the listed blocks that are damaged or did not arrive"
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
      description = "The mote's mesh address, for instance fd00::202:2:2:2.")
  private String mote = "";

  @Option(
      names = "--file",
      paramLabel = "NAME",
      description = "The name of one of several block stores (vigil-mote --store NAME=FILE).")
  private String file = "";

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "First time, inclusive, such as 2026-11-20T12:00:00Z (default: the oldest reading).")
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description = "Last time, inclusive (default: the newest reading).")
  private @Nullable String to;

  @Option(
      names = "--rekey",
      description =
          "Fetches nothing; instead the mote encrypts its stored readings again with the key in the"
              + " second line `store` of both association files.")
  private boolean rekey;

  @Mixin private ClientOptions gateway = new ClientOptions();
  @Mixin private DataFolderOption dataFolder = new DataFolderOption();

  @Override
  public Integer call() {
    checkRange();
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    List<String> lost = new ArrayList<>();
    try (GatewayClient client =
        gateway.open(dataFolder.path().resolve("operator.token"), TIMEOUT)) {
      if (rekey) {
        rekey(client, out);
        return CommandLine.ExitCode.OK;
      }
      long rows = 0;
      String after = "0";
      while (!after.isEmpty()) {
        JsonNode page = page(client, after);
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
    } catch (CliException e) {
      err.println("vigil: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return CommandLine.ExitCode.SOFTWARE;
  }

  /** Returns when nothing is left under the previous key. */
  private void rekey(GatewayClient client, PrintWriter out)
      throws CliException, InterruptedException {
    long blocks = 0;
    long segments;
    do {
      JsonNode answer = ask(client, "/rekey" + store() + "&more=" + (blocks > 0));
      long now = answer.path("blocks").asLong();
      blocks += now;
      segments = answer.path("segments").asLong();
      if (now == 0 && segments > 0) {
        throw new CliException(
            "%s encrypted nothing more, and %d segments are left: its storage may be failing"
                .formatted(mote, segments));
      }
    } while (segments > 0);
    out.println(
        "%s: %d blocks encrypted again, none is left under the previous key"
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
          spec.commandLine(), option + " " + text + ": give a time such as 2026-11-20T12:00:00Z");
    }
  }

  /** The start of the next page; empty at the end. */
  private static String next(JsonNode page, String after) throws CliException {
    if (!page.path("next").isNumber()) {
      return "";
    }
    long next = page.path("next").asLong();
    if (next <= Long.parseLong(after)) {
      throw new CliException(
          "the gateway's answer repeats: it continues at block %d after block %s"
              .formatted(next, after));
    }
    return Long.toString(next);
  }

  private JsonNode page(GatewayClient client, String after)
      throws CliException, InterruptedException {
    StringBuilder query = new StringBuilder(store() + "&after=" + after);
    if (from != null) {
      query.append("&from=").append(GatewayClient.encoded(from));
    }
    if (to != null) {
      query.append("&to=").append(GatewayClient.encoded(to));
    }
    return ask(client, query.toString());
  }

  /** The parameters that name the block store. */
  private String store() {
    String unnamed = "?mote=" + GatewayClient.encoded(mote);
    return file.isEmpty() ? unnamed : unnamed + "&file=" + GatewayClient.encoded(file);
  }

  private static JsonNode ask(GatewayClient client, String query)
      throws CliException, InterruptedException {
    return client.post("/api/network/stored-readings" + query, "application/json", "");
  }

  private static String row(JsonNode reading) {
    return String.join(
        ",",
        reading.path("time").asString(),
        Csv.text(GatewayClient.printable(reading.path("sensor").asString())),
        reading.path("value").decimalValue().toPlainString(),
        Csv.text(GatewayClient.printable(reading.path("unit").asString())),
        reading.path("sequence").asString(),
        reading.path("block").asString());
  }
}
