package dev.vigil.gateway.cli.keylabels;

import dev.vigil.gateway.cli.CliException;
import dev.vigil.gateway.cli.ClientOptions;
import dev.vigil.gateway.cli.GatewayClient;
import dev.vigil.gateway.cli.KeyWord;
import dev.vigil.store.NameGrammar;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

/** {@code label}: writes sheets of labels for motes. */
@Command(
    name = "label",
    mixinStandardHelpOptions = true,
    description = {
      "Writes sheets of labels for motes as SVG: a QR code, the endpoint's name, and the thumbprint"
          + " of its key.",
      "Without --key and --list the labels show keys that a running gateway trusts already. A first"
          + " contact is secured only by a label with the key that the mote printed."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:the sheets were written",
      "1:a file or the gateway could not be read, or there is nothing to print",
      "2:a mistake in an option"
    })
public final class LabelCommand implements Callable<Integer> {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "0..*",
      paramLabel = "ENDPOINT",
      description = "Names of endpoints (default: all of the list or of the gateway).")
  private List<String> endpoints = List.of();

  @Option(
      names = "--key",
      paramLabel = "KEY",
      parameterConsumer = KeyWord.class,
      description = "The key of one endpoint: a thumbprint, or a file with its JWK.")
  private @Nullable String key;

  @Option(
      names = "--list",
      paramLabel = "FILE",
      description = "A list of keys, as the gateway imports it: a JWK set or CSV.")
  private @Nullable Path list;

  @Mixin private ClientOptions gateway = new ClientOptions();

  @Option(
      names = {"-d", "--domain"},
      paramLabel = "DOMAIN",
      description = "The domain of the endpoints and of the list; - is the unnamed domain.")
  private @Nullable String domain;

  @Option(
      names = "--page",
      paramLabel = "URL",
      description =
          "Address of the gateway's page, for the QR code: the camera of a phone then opens it.")
  private @Nullable URI page;

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      defaultValue = "labels.svg",
      description =
          "The new file (default: ${DEFAULT-VALUE}). Several sheets get numbers: labels-1.svg.")
  private Path out = Path.of("labels.svg");

  @Option(
      names = "--skip",
      paramLabel = "N",
      defaultValue = "0",
      description = "Labels that are missing on the first sheet, because they were used before.")
  private int skip;

  @Override
  public Integer call() throws InterruptedException {
    check();
    try {
      write(labels());
      return CommandLine.ExitCode.OK;
    } catch (CliException e) {
      spec.commandLine()
          .getErr()
          .println("vigil: " + GatewayClient.printable(String.valueOf(e.getMessage())));
    } catch (FileAlreadyExistsException e) {
      spec.commandLine()
          .getErr()
          .println("vigil: " + e.getFile() + " exists: name another file with --out");
    } catch (IOException e) {
      spec.commandLine().getErr().println("vigil: cannot write " + e.getMessage());
    }
    return CommandLine.ExitCode.SOFTWARE;
  }

  private void check() {
    if (key != null && (list != null || endpoints.size() != 1)) {
      throw wrong("--key belongs to one ENDPOINT; several keys come from --list");
    }
    if (key != null) {
      checkName("ENDPOINT", endpoints.getFirst());
    }
    if (domain != null && !domain.isEmpty()) {
      checkName("--domain", domain);
    }
    if (skip < 0 || skip >= LabelSheet.LABELS) {
      throw wrong("--skip takes 0 to " + (LabelSheet.LABELS - 1));
    }
    if (page != null
        && (page.getHost() == null
            || page.getFragment() != null
            || page.getQuery() != null
            || !List.of("http", "https").contains(page.getScheme()))) {
      throw wrong("--page takes an address like https://HOST:8443/");
    }
  }

  /** No mote can register a wrong name, and control characters are invalid in SVG. */
  private void checkName(String argument, String name) {
    String fault = NameGrammar.fault(name);
    if (fault != null) {
      throw wrong("%s: the name %s".formatted(argument, fault));
    }
  }

  private ParameterException wrong(String fault) {
    return new ParameterException(spec.commandLine(), fault);
  }

  private List<KeyLabel> labels() throws CliException, InterruptedException {
    String d = domain == null ? null : domain.equals("-") ? "" : domain;
    if (key != null) {
      return List.of(LabelSource.ofKey(key, endpoints.getFirst(), d));
    }
    List<KeyLabel> known;
    if (list != null) {
      known = LabelSource.ofList(list, d);
    } else {
      try (GatewayClient client = gateway.open(null, TIMEOUT)) {
        known = LabelSource.ofGateway(client, d);
      }
    }
    for (String endpoint : endpoints) {
      if (known.stream().noneMatch(label -> endpoint.equals(label.ep()))) {
        throw new CliException(
            list == null
                ? "the gateway trusts no key of endpoint " + endpoint
                : list + " has no key of endpoint " + endpoint);
      }
    }
    List<KeyLabel> wanted =
        known.stream()
            .filter(label -> endpoints.isEmpty() || endpoints.contains(label.ep()))
            .toList();
    if (wanted.isEmpty()) {
      throw new CliException("the gateway trusts no key" + (d == null ? "" : " in this domain"));
    }
    return wanted;
  }

  private void write(List<KeyLabel> labels) throws IOException {
    List<List<KeyLabel>> sheets = new ArrayList<>();
    for (int at = 0; at < labels.size(); ) {
      int places = LabelSheet.LABELS - (sheets.isEmpty() ? skip : 0);
      sheets.add(labels.subList(at, Math.min(labels.size(), at + places)));
      at += places;
    }
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < sheets.size(); i++) {
      files.add(sheets.size() == 1 ? out : numbered(i + 1));
    }
    for (Path file : files) {
      if (Files.exists(file)) {
        throw new FileAlreadyExistsException(file.toString());
      }
    }
    for (int i = 0; i < sheets.size(); i++) {
      String svg = LabelSheet.svg(sheets.get(i), i == 0 ? skip : 0, page);
      Files.writeString(files.get(i), svg, StandardOpenOption.CREATE_NEW);
      spec.commandLine()
          .getOut()
          .println(
              files.get(i) + ": " + count(sheets.get(i).size()) + ", print it without scaling");
    }
  }

  private static String count(int labels) {
    return labels == 1 ? "1 label" : labels + " labels";
  }

  /** The file of one of several sheets: labels-1.svg. */
  private Path numbered(int number) {
    String name = Objects.requireNonNullElse(out.getFileName(), out).toString();
    int dot = name.lastIndexOf('.');
    int at = dot > 0 ? dot : name.length();
    return out.resolveSibling(name.substring(0, at) + "-" + number + name.substring(at));
  }
}
