package dev.vigil.gateway.cli;

import dev.vigil.gateway.files.Pem;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of verbs that query a running gateway: its address, a token, an authority. */
public final class ClientOptions {
  private static final String LOOPBACK = "http://127.0.0.1:8080";

  @Option(
      names = {"--url", "--gateway"},
      paramLabel = "URL",
      converter = GatewayUri.class,
      defaultValue = LOOPBACK,
      description = "The gateway (default: ${DEFAULT-VALUE}).")
  private URI url = URI.create(LOOPBACK);

  @Option(
      names = {"--token", "--token-file"},
      paramLabel = "FILE",
      description = "A file with an API token or the operator's token.")
  private @Nullable Path token;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description =
          "A PEM file with the authority of the HTTPS certificate, for instance from /ca.pem.")
  private @Nullable Path authority;

  /**
   * @param otherwise the token file if the option is missing; null: no token
   * @param timeout of one request
   * @throws CliException when a file cannot be read; the message names it
   */
  public GatewayClient open(@Nullable Path otherwise, Duration timeout) throws CliException {
    try {
      return new GatewayClient(
          url,
          read(token == null ? otherwise : token),
          authority == null ? null : Pem.trusting("--ca", authority.toString()),
          timeout);
    } catch (IOException e) {
      throw new CliException(String.valueOf(e.getMessage()));
    }
  }

  private static String read(@Nullable Path file) throws CliException {
    try {
      return file == null ? "" : Files.readString(file).strip();
    } catch (IOException e) {
      throw new CliException("cannot read " + file + ": name a file with a token with --token");
    }
  }

  /** Parses addresses of gateways. */
  public static final class GatewayUri implements ITypeConverter<URI> {
    @Override
    public URI convert(String value) {
      try {
        URI uri = URI.create(value);
        if (("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
            && uri.getHost() != null
            && uri.getUserInfo() == null) {
          return uri.resolve("/");
        }
      } catch (IllegalArgumentException e) {
        // Reported below.
      }
      throw new TypeConversionException(
          "\"" + value + "\" is not an address like http://127.0.0.1:8080 or https://HOST:8443");
    }
  }
}
