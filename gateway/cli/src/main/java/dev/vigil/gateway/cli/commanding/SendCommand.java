package dev.vigil.gateway.cli.commanding;

import dev.vigil.gateway.cli.CliException;
import dev.vigil.gateway.cli.ClientOptions;
import dev.vigil.gateway.cli.GatewayClient;
import dev.vigil.gateway.commanders.CommandException;
import dev.vigil.gateway.commanders.CommanderKey;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code command}: signs a command for a sleepy endpoint and sends it to its gateway. */
@Command(
    name = "command",
    mixinStandardHelpOptions = true,
    description = {
      "Signs a command with a commander's key and queues it at the gateway; the endpoint fetches it"
          + " when it wakes, checks the signature and executes the command.",
      "The key's public part must be among the commanders of the endpoint's domain, and of the"
          + " endpoint: --new-key makes a key and prints that part."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:queued; with --wait: confirmed",
      "1:refused, or with --wait refused by the mote, expired, cancelled or not confirmed in time",
      "2:a mistake in an option"
    })
public final class SendCommand implements Callable<Integer> {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String DATA = "data:";
  private static final String NAMELESS = "-";
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** The values of switches (docs/protocol.md section 8): off, on. */
  private static final List<JsonNode> SWITCHES =
      List.of(JSON.readTree("[0,1]"), JSON.readTree("[false,true]"));

  private final Clock clock;
  private final SecureRandom random;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "ENDPOINT",
      description = "The endpoint's name, which is signed.")
  private @Nullable String endpoint;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "PATH",
      description = "Path of the resource, for instance led.")
  private @Nullable String path;

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "VALUE",
      description = {
        "A number, true, false, or text; it is sent as SenML.",
        "For a switch also on or off, which is sent as 1 or 0, or as true or false. The gateway"
            + " refuses values that the link of the resource excludes."
      })
  private @Nullable String value;

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description = "The commander's private JWK (P-256).")
  private @Nullable Path key;

  @Option(
      names = "--new-key",
      paramLabel = "FILE",
      description = "Creates a commander's key in a new file, prints its public JWK, and exits.")
  private @Nullable Path newKey;

  @Mixin private ClientOptions gateway = new ClientOptions();

  @Option(
      names = {"-d", "--domain"},
      paramLabel = "DOMAIN",
      description =
          "The endpoint's domain (- is the one without a name); without this option it is signed as"
              + " the gateway names it.")
  private @Nullable String domain;

  @Option(
      names = "--expires",
      paramLabel = "SECONDS",
      description = "The command is dropped if the endpoint has not fetched it by then.")
  private @Nullable Long expires;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      description =
          "Shows each state of the command until it has ended, but at most for this time.")
  private @Nullable Long wait;

  /** The target of the command, in the gateway's terms. */
  private record Target(String id, String ep, String d, String path, JsonNode control) {
    String commands() {
      return "/api/endpoints/%s/resources/%s/commands"
          .formatted(GatewayClient.encoded(id), path.replace("?", "%3F").replace("#", "%23"));
    }
  }

  public SendCommand(Clock clock, SecureRandom random) {
    this.clock = clock;
    this.random = random;
  }

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    try {
      return newKey == null ? send() : makeKey(newKey);
    } catch (CommandException | CliException e) {
      err.println("vigil: " + GatewayClient.printable(String.valueOf(e.getMessage())));
    } catch (NoSuchFileException e) {
      err.println("vigil: there is no file " + e.getFile());
    } catch (IOException e) {
      err.println("vigil: " + e);
    }
    return CommandLine.ExitCode.SOFTWARE;
  }

  private int makeKey(Path file) throws IOException, CommandException {
    CommanderKey made = CommanderKey.create(file, random);
    spec.commandLine().getOut().println(made.jwk());
    return CommandLine.ExitCode.OK;
  }

  private int send() throws IOException, InterruptedException, CommandException, CliException {
    String name = required(endpoint, "ENDPOINT");
    String resource = required(path, "PATH");
    String given = required(value, "VALUE");
    CommanderKey commander = CommanderKey.read(required(key, "--key"));
    try (GatewayClient client = gateway.open(null, TIMEOUT)) {
      Target target = target(client, name, resource);
      // Opened before the command is sent, so that no state is missed.
      @Nullable BufferedReader events = wait == null ? null : client.events();
      long number = client.get(target.commands()).path("last").asLong() + 1;
      String jws = commander.sign(header(target, number), payload(target, given));
      JsonNode queued = client.post(target.commands(), "application/jose", jws);
      return events == null
          ? show(number, queued.path("state").asString(""), CommandLine.ExitCode.OK)
          : follow(client, events, target, number);
    }
  }

  private <T> T required(@Nullable T given, String name) {
    if (given == null) {
      throw new ParameterException(spec.commandLine(), "command needs " + name + "; see --help");
    }
    return given;
  }

  private Target target(GatewayClient gateway, String name, String resource)
      throws InterruptedException, CliException, CommandException {
    String query = domain == null ? "" : "&d=" + GatewayClient.encoded(domain);
    JsonNode found =
        gateway
            .get("/api/endpoints?limit=3&ep=" + GatewayClient.encoded(name) + query)
            .path("endpoints");
    if (found.size() > 1) {
      throw new CommandException(
          "several domains have an endpoint " + name + ": choose one with --domain");
    }
    if (found.isEmpty()) {
      throw new CommandException(
          "no endpoint %s%s that this token may see: vigil endpoints lists their names"
              .formatted(name, place()));
    }
    JsonNode one = found.get(0);
    String ep = one.path("ep").asString("");
    String d = one.path("d").asString("");
    if (!ep.equals(name) || (domain != null && !d.equals(domain.equals(NAMELESS) ? "" : domain))) {
      throw new CommandException(
          "%s%s: the gateway answers with the endpoint %s in the domain %s; nothing was signed"
              .formatted(name, place(), ep, d.isEmpty() ? NAMELESS : d));
    }
    return new Target(one.path("id").asString(), ep, d, resource, control(one, resource));
  }

  private String place() {
    return domain == null ? "" : " in the domain " + domain;
  }

  private static JsonNode control(JsonNode endpoint, String path) {
    for (JsonNode resource : endpoint.path("resources")) {
      if (resource.path("path").asString("").equals(path)) {
        return resource.path("control");
      }
    }
    return MissingNode.getInstance();
  }

  private ObjectNode header(Target target, long number) {
    ObjectNode header =
        JSON.createObjectNode()
            .put("typ", "vigil-cmd")
            .put("cty", "application/senml+json")
            .put("ep", target.ep())
            .put("res", target.path())
            .put("seq", number);
    if (!target.d().isEmpty()) {
      header.put("d", target.d());
    }
    if (expires != null) {
      header.put("exp", clock.instant().getEpochSecond() + expires);
    }
    return header;
  }

  /** The word for a state of a switch; the gateway says only which of the known switches it is. */
  private static String word(Target target, String typed) throws CommandException {
    boolean on = typed.equals("on");
    if (!target.control().path("kind").asString("").equals("switch")
        || !(on || typed.equals("off"))) {
      return typed;
    }
    JsonNode values = target.control().path("values");
    if (!SWITCHES.contains(values)) {
      throw new CommandException(
          "the gateway says that %s takes %s for off and on: type the value itself"
              .formatted(target.path(), values));
    }
    return values.path(on ? 1 : 0).asString("");
  }

  private static byte[] payload(Target target, String typed) throws CommandException {
    ObjectNode measurement = JSON.createObjectNode().put("n", target.path());
    String value = word(target, typed);
    if (value.equals("true") || value.equals("false")) {
      measurement.put("vb", Boolean.parseBoolean(value));
    } else if (value.matches("-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?")) {
      measurement.set("v", JSON.readTree(value.replaceFirst("^(-?)0+(?=[0-9])", "$1")));
    } else {
      measurement.put("vs", value);
    }
    return JSON.createArrayNode().add(measurement).toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Prints each new state until the command has ended or the time is over. */
  private int follow(GatewayClient gateway, BufferedReader events, Target target, long number)
      throws CommandException, CliException {
    Timer timer = new Timer(true);
    timer.schedule(closing(gateway), 1000 * required(wait, "--wait"));
    String shown = "queued";
    show(number, shown, 0);
    try {
      for (String line = events.readLine(); line != null; line = events.readLine()) {
        String state =
            line.startsWith(DATA) ? state(line.substring(DATA.length()), target, number) : "";
        if (!state.isEmpty() && !state.equals(shown)) {
          shown = state;
          show(number, state, 0);
        }
        switch (shown) {
          case "confirmed" -> {
            return CommandLine.ExitCode.OK;
          }
          case "refused", "expired", "cancelled" -> {
            return CommandLine.ExitCode.SOFTWARE;
          }
          default -> {}
        }
      }
    } catch (IOException e) {
      // The time is over or the gateway has stopped.
    } finally {
      timer.cancel();
    }
    throw new CommandException(
        "command %d is still %s; the endpoint may fetch it later".formatted(number, shown));
  }

  /** Ends the event stream when the time is over. */
  private static TimerTask closing(GatewayClient gateway) {
    return new TimerTask() {
      @Override
      public void run() {
        gateway.close();
      }
    };
  }

  /** The state of the command in an event; empty when the event does not contain it. */
  private static String state(String data, Target target, long number) throws CliException {
    JsonNode event = GatewayClient.parsed(data);
    if (event.path("id").asString("").equals(target.id())) {
      for (JsonNode command : event.path("commands")) {
        if (command.path("seq").asLong() == number) {
          return command.path("state").asString("");
        }
      }
    }
    return "";
  }

  private int show(long number, String state, int code) {
    PrintWriter out = spec.commandLine().getOut();
    out.println("command " + number + " " + GatewayClient.printable(state));
    out.flush();
    return code;
  }
}
