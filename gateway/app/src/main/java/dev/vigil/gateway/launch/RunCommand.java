package dev.vigil.gateway.launch;

import dev.vigil.gateway.cli.SettingsFile;
import dev.vigil.mirror.model.keys.TrustPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code run}: runs the gateway until it is stopped. Options become Spring properties. */
@Command(name = "run", description = "Runs the gateway.", mixinStandardHelpOptions = true)
public final class RunCommand implements Callable<Integer> {
  private final Class<?> application;
  private final Class<? extends Record> settings;
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--data-dir", paramLabel = "DIR", description = "Folder for all state.")
  private @Nullable Path dataDir;

  @Option(
      names = "--coap-port",
      paramLabel = "N",
      converter = Port.class,
      description = "0 lets the system choose.")
  private @Nullable Integer coapPort;

  @Option(
      names = "--coaps-port",
      paramLabel = "N",
      converter = Port.class,
      description = "0 lets the system choose.")
  private @Nullable Integer coapsPort;

  @Option(
      names = "--http-port",
      paramLabel = "N",
      converter = Port.class,
      description = "0 lets the system choose.")
  private @Nullable Integer httpPort;

  @Option(
      names = "--https-port",
      paramLabel = "N",
      converter = Port.class,
      description = "With a certificate; 0 lets the system choose.")
  private @Nullable Integer httpsPort;

  @Option(
      names = "--zep-port",
      paramLabel = "N",
      converter = Port.class,
      description = "UDP port of the virtual radio; 0 lets the system choose.")
  private @Nullable Integer zepPort;

  @Option(
      names = "--topology",
      paramLabel = "FILE",
      description =
          "File of the links between nodes of the virtual radio; default: all nodes"
              + " hear each other.")
  private @Nullable Path topology;

  @Option(
      names = "--for",
      paramLabel = "SECONDS",
      description = "Stops this long after the line that begins with \"ready\".")
  private @Nullable Integer seconds;

  @Option(
      names = "--trust",
      paramLabel = "MODE",
      converter = Trust.class,
      description = "first-use, approve or listed.")
  private @Nullable TrustPolicy trust;

  @Option(names = "--anonymous-read", description = "Anyone may read.")
  private boolean anonymousRead;

  @Option(names = "--pcap", paramLabel = "FILE", description = "Writes every frame on the air.")
  private @Nullable Path pcap;

  @Option(
      names = "--sa",
      paramLabel = "FILE",
      description = "IPsec associations that end at the gateway, mode 0600 (./vigil sa new).")
  private @Nullable Path ipsec;

  @Option(
      names = "--new-sa",
      description =
          "IPsec associations without a record of sequence numbers were never used: begin them.")
  private boolean newAssociations;

  @Option(
      names = "--demo",
      description = "A virtual radio, first-use trust, anonymous reading, loopback only.")
  private boolean demo;

  @Option(names = "--config", paramLabel = "FILE", description = "Settings, as application.yaml.")
  private @Nullable Path config;

  @Option(
      names = "--store",
      paramLabel = "URL",
      split = ",",
      description =
          "NATS servers of a cluster of gateways, such as nats://nats-1:4222,nats://nats-2:4222;"
              + " default: SQLite in the data folder.")
  private List<String> store = List.of();

  @Option(
      names = "--allow-weak-store",
      description = "Allows a cluster that can lose acknowledged updates, for a trial.")
  private boolean allowWeakStore;

  /**
   * @param application the Spring application class
   * @param settings the record of all settings below {@code vigil.}
   */
  public RunCommand(Class<?> application, Class<? extends Record> settings) {
    this.application = application;
    this.settings = settings;
  }

  @Override
  public Integer call() {
    if (config != null && !Files.isReadable(config)) {
      throw new ParameterException(
          spec.commandLine(), "--config: there is no file " + config + " that can be read");
    }
    if (seconds != null && seconds < 0) {
      throw new ParameterException(
          spec.commandLine(), "--for takes seconds, 0 or more, not " + seconds);
    }
    Optional<String> problem =
        SettingsFile.of(Path.of(""), config).stream()
            .map(SettingsFile::problem)
            .flatMap(Optional::stream)
            .findFirst()
            .or(() -> EnvironmentVariables.problem(System.getenv(), settings));
    if (problem.isPresent()) {
      System.err.println("vigil: " + problem.get());
      return GatewayRun.WRONG_SETTING;
    }
    return new GatewayRun(application, System.out, System.err).run(arguments(), seconds);
  }

  /** The options as Spring arguments, which override every file and the environment. */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    add(arguments, "vigil.data-dir", dataDir);
    add(arguments, "vigil.coap.port", coapPort);
    add(arguments, "vigil.coap.secure-port", coapsPort);
    add(arguments, "vigil.http.port", httpPort);
    add(arguments, "vigil.http.secure-port", httpsPort);
    add(arguments, "vigil.trust", trust);
    add(arguments, "vigil.anonymous-read", anonymousRead ? true : null);
    add(arguments, "vigil.border.capture", pcap);
    add(arguments, "vigil.border.radios[0].port", zepPort);
    add(arguments, "vigil.border.radios[0].topology", topology);
    add(arguments, "vigil.border.ipsec", ipsec);
    add(arguments, "vigil.border.ipsec-new", newAssociations ? true : null);
    add(arguments, "vigil.cluster.servers", store.isEmpty() ? null : String.join(",", store));
    add(arguments, "vigil.cluster.allow-weak-store", allowWeakStore ? true : null);
    add(arguments, "spring.config.additional-location", config);
    add(arguments, "spring.profiles.active", demo ? "demo" : null);
    return arguments;
  }

  private static void add(List<String> arguments, String name, @Nullable Object value) {
    if (value != null) {
      arguments.add("--" + name + "=" + value);
    }
  }

  /** Reads ports. */
  static final class Port implements ITypeConverter<Integer> {
    private static final int LAST = 65535;

    @Override
    public Integer convert(String value) {
      if (value.matches("[0-9]{1,5}") && Integer.parseInt(value) <= LAST) {
        return Integer.valueOf(value);
      }
      throw new TypeConversionException("\"" + value + "\" is not a port, 0 to " + LAST);
    }
  }

  /** Reads trust policies in lower case with hyphens. */
  static final class Trust implements ITypeConverter<TrustPolicy> {
    @Override
    public TrustPolicy convert(String value) {
      return Arrays.stream(TrustPolicy.values())
          .filter(policy -> label(policy).equals(value))
          .findFirst()
          .orElseThrow(
              () -> new TypeConversionException("\"" + value + "\" is not one of " + labels()));
    }

    private static String labels() {
      return Arrays.stream(TrustPolicy.values())
          .map(Trust::label)
          .collect(Collectors.joining(", "));
    }

    private static String label(TrustPolicy policy) {
      return policy.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}
