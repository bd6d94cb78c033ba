package dev.vigil.gateway.cli.endpoints;

import dev.vigil.gateway.cli.CliException;
import dev.vigil.gateway.cli.ClientOptions;
import dev.vigil.gateway.cli.GatewayClient;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code endpoints}: lists the endpoints of a running gateway, one per line. */
@Command(
    name = "endpoints",
    mixinStandardHelpOptions = true,
    description = "Lists the endpoints of a running gateway.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:the list was printed; it may be empty",
      "1:no gateway answered, or the gateway refused",
      "2:a mistake in an option"
    })
public final class EndpointsCommand implements Callable<Integer> {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final List<String> HEADINGS =
      List.of("ID", "ENDPOINT", "DOMAIN", "TRUST", "FRESHNESS", "LAST HEARD", "RESOURCES");

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ClientOptions gateway = new ClientOptions();

  @Option(
      names = {"-d", "--domain"},
      paramLabel = "DOMAIN",
      description = "Lists only this domain; - is the unnamed domain.")
  private @Nullable String domain;

  @Option(
      names = "--freshness",
      paramLabel = "STATE",
      description = "Lists only endpoints that are on-time, late, missing or not-trusted.")
  private @Nullable String freshness;

  @Option(
      names = "--trust",
      paramLabel = "STATE",
      description =
          "Lists only endpoints that are unproven, pending, trusted, replaced or revoked.")
  private @Nullable String trust;

  @Option(
      names = "--tag",
      paramLabel = "TAG",
      description = "Lists only endpoints with this tag; may be repeated.")
  private List<String> tags = List.of();

  @Option(names = "--json", description = "Prints each endpoint as JSON, one per line.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    try (GatewayClient client = gateway.open(null, TIMEOUT)) {
      List<JsonNode> found = endpoints(client);
      PrintWriter out = spec.commandLine().getOut();
      if (json) {
        found.forEach(out::println);
      } else {
        table(found).forEach(out::println);
      }
      return CommandLine.ExitCode.OK;
    } catch (CliException e) {
      spec.commandLine().getErr().println("vigil: " + e.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  private List<JsonNode> endpoints(GatewayClient client) throws InterruptedException, CliException {
    List<JsonNode> found = new ArrayList<>();
    StringBuilder filter = new StringBuilder();
    filter.append(parameter("d", domain)).append(parameter("freshness", freshness));
    filter.append(parameter("trust", trust));
    tags.forEach(tag -> filter.append(parameter("tag", tag)));
    String after = "";
    do {
      JsonNode page = client.get("/api/endpoints?limit=1000" + filter + after);
      page.path("endpoints").forEach(found::add);
      after = page.path("next").isString() ? parameter("after", page.path("next").asString()) : "";
    } while (!after.isEmpty());
    return found;
  }

  private static String parameter(String name, @Nullable String value) {
    return value == null ? "" : "&" + name + "=" + GatewayClient.encoded(value);
  }

  /** Lines with aligned columns. */
  private static List<String> table(List<JsonNode> endpoints) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEADINGS);
    endpoints.forEach(one -> rows.add(row(one)));
    int[] widths = new int[HEADINGS.size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    String format =
        String.join("  ", Arrays.stream(widths).mapToObj(width -> "%-" + width + "s").toList());
    return rows.stream().map(row -> format.formatted(row.toArray()).stripTrailing()).toList();
  }

  private static List<String> row(JsonNode endpoint) {
    List<String> paths = new ArrayList<>();
    endpoint.path("resources").forEach(one -> paths.add(one.path("path").asString("")));
    String d = endpoint.path("d").asString("");
    return List.of(
        text(endpoint, "id"),
        text(endpoint, "ep"),
        d.isEmpty() ? "-" : GatewayClient.printable(d),
        text(endpoint, "trust"),
        text(endpoint, "freshness"),
        text(endpoint, "heardAt"),
        GatewayClient.printable(String.join(" ", paths)));
  }

  private static String text(JsonNode endpoint, String member) {
    return GatewayClient.printable(endpoint.path(member).asString("-"));
  }
}
