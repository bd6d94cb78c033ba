package dev.vigil.gateway.cli.diagnostics;

import dev.vigil.gateway.cli.ClientOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that name a running gateway. */
final class GatewayOptions {
  private static final String TOKEN_VARIABLE = "VIGIL_METRICS_TOKEN";

  @Option(
      names = "--url",
      paramLabel = "URL",
      converter = ClientOptions.GatewayUri.class,
      description = "The gateway's HTTP or HTTPS address, for instance http://127.0.0.1:8080.")
  private @Nullable URI url;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "A file with the metrics token (vigil.metrics.token), which other machines need"
              + " (default: the token in VIGIL_METRICS_TOKEN).")
  private @Nullable Path tokenFile;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description =
          "A PEM file with the authority of the HTTPS certificate, for instance from /ca.pem.")
  private @Nullable Path authority;

  /** Null when the option is missing. */
  @Nullable URI url() {
    return url;
  }

  /**
   * @throws IOException with a one-line message that names the unreadable file
   */
  String token(Map<String, String> environment) throws IOException {
    if (tokenFile == null) {
      return environment.getOrDefault(TOKEN_VARIABLE, "");
    }
    try {
      return Files.readString(tokenFile).strip();
    } catch (IOException e) {
      throw new IOException("cannot read " + tokenFile + ", which --token-file names", e);
    }
  }

  /**
   * @throws IOException with a one-line message that names the unusable file
   */
  RemoteGateway open(URI base, Map<String, String> environment) throws IOException {
    return new RemoteGateway(base, token(environment), authority);
  }
}
