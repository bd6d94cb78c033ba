package dev.vigil.gateway.cli.diagnostics;

import dev.vigil.gateway.cli.BuildVersion;
import dev.vigil.gateway.cli.DataFolderOption;
import dev.vigil.gateway.cli.SettingsFile;
import dev.vigil.gateway.files.PrivateFiles;
import dev.vigil.gateway.redaction.KnownSecrets;
import dev.vigil.gateway.redaction.Redactor;
import dev.vigil.gateway.redaction.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code support}: writes the information that helpers need, without secrets. */
@Command(
    name = "support",
    mixinStandardHelpOptions = true,
    description = {
      "Writes a ZIP file for helpers: versions, settings without secrets, the list of files in the"
          + " data folder and the last lines of the log; with --url also health and metrics"
          + " of the running gateway and the findings of doctor.",
      "The log contains names of endpoints and addresses: review the texts before you pass"
          + " them on."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:the bundle was written; it lists its missing parts",
      "1:no bundle was written",
      "2:a wrong option"
    })
public final class SupportCommand implements Callable<Integer> {
  private static final String STDIN = "-";
  private static final long MEBI = 1 << 20;

  private final Settings shown;
  private final InputStream in;
  private final Clock clock;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private GatewayOptions options = new GatewayOptions();

  @Parameters(paramLabel = "FILE", description = "A new file, for instance support.zip.")
  private Path file = Path.of("support.zip");

  @Mixin private DataFolderOption dataFolder = new DataFolderOption();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "A settings file in addition to ./application.yaml.")
  private @Nullable Path config;

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description = "The log file; - is standard input (default: the log of the systemd service).")
  private @Nullable String log;

  public SupportCommand(Settings shown, InputStream in, Clock clock) {
    this.shown = shown;
    this.in = in;
    this.clock = clock;
  }

  @Override
  public Integer call() {
    try {
      SupportBundle bundle = bundle(System.getenv());
      try (OutputStream out = open(file)) {
        bundle.write(out);
      }
      spec.commandLine().getOut().println(file + ": " + String.join(", ", bundle.names()));
      return CommandLine.ExitCode.OK;
    } catch (FileAlreadyExistsException e) {
      return failed(file + " already exists: name a new file");
    } catch (IOException e) {
      return failed(String.valueOf(e.getMessage()));
    }
  }

  private int failed(String line) {
    spec.commandLine().getErr().println("vigil: no bundle: " + line);
    return CommandLine.ExitCode.SOFTWARE;
  }

  private static OutputStream open(Path file) throws IOException {
    Files.createFile(file, PrivateFiles.NEW_FILE);
    return Files.newOutputStream(file, StandardOpenOption.WRITE);
  }

  private SupportBundle bundle(Map<String, String> environment) throws IOException {
    List<String> missing = new ArrayList<>();
    Path folder = dataFolder.path().toAbsolutePath().normalize();
    List<Map<String, String>> settings = new ArrayList<>();
    for (SettingsFile one : SettingsFile.of(Path.of(""), config)) {
      try {
        settings.add(one.settings());
      } catch (IOException e) {
        missing.add("settings: " + e.getMessage());
      }
    }
    SupportBundle bundle =
        new SupportBundle(new Redactor(KnownSecrets.of(shown, folder, settings, environment)));
    bundle.add("about.txt", about());
    bundle.add(
        "settings.txt",
        settings.stream()
            .map(one -> SupportBundle.settings(shown, one))
            .collect(Collectors.joining("\n")));
    bundle.add("environment.txt", SupportBundle.environment(environment));
    bundle.add("data-folder.txt", SupportBundle.listing(folder));
    bundle.add("log.txt", logLines(missing));
    addReport(bundle, environment, missing);
    bundle.add("missing.txt", missing.isEmpty() ? "" : String.join("\n", missing) + "\n");
    return bundle;
  }

  private String about() {
    Runtime machine = Runtime.getRuntime();
    return """
        created    %s
        version    %s
        java       %s, %s
        system     %s %s, %s
        processors %d
        heap       %d MiB at most, in this process
        """
        .formatted(
            clock.instant(),
            BuildVersion.text(),
            System.getProperty("java.vm.name"),
            Runtime.version(),
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            System.getProperty("os.arch"),
            machine.availableProcessors(),
            machine.maxMemory() / MEBI);
  }

  private String logLines(List<String> missing) throws IOException {
    if (STDIN.equals(log)) {
      return LogLines.of(in);
    }
    if (log != null) {
      Path named = Path.of(log);
      if (!Files.isReadable(named)) {
        throw new IOException("the log " + log + " does not exist or cannot be read");
      }
      return LogLines.of(named);
    }
    String lines = LogLines.ofService();
    if (lines.isEmpty()) {
      missing.add(
          "log: systemd has none; name a file with --log FILE, or use --log - for standard input");
    }
    return lines;
  }

  private void addReport(
      SupportBundle bundle, Map<String, String> environment, List<String> missing) {
    URI url = options.url();
    if (url == null) {
      missing.add("health, metrics: --url is missing");
      return;
    }
    try (RemoteGateway gateway = options.open(url, environment)) {
      Report report = Report.of(gateway, clock);
      bundle.add("health.json", report.health());
      bundle.add("info.json", report.info());
      bundle.add("metrics.txt", report.metrics());
      bundle.add(
          "doctor.txt",
          report.findings().stream()
              .map(Finding::line)
              .collect(Collectors.joining("\n", "", "\n")));
    } catch (IOException e) {
      missing.add("health, metrics: " + e.getMessage());
    }
  }
}
