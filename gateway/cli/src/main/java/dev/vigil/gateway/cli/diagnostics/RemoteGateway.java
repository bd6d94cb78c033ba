package dev.vigil.gateway.cli.diagnostics;

import dev.vigil.gateway.files.Pem;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** An HTTP client of a running gateway. */
final class RemoteGateway implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final URI base;
  private final String token;
  private final HttpClient client;

  record Answer(int status, String body) {}

  /**
   * @param base for instance {@code http://127.0.0.1:8080}
   * @param token the metrics token; empty: none is sent
   * @param authority a PEM file with the authority of the certificate; null: Java's authorities
   * @throws IOException with a one-line message when the file cannot be used
   */
  RemoteGateway(URI base, String token, @Nullable Path authority) throws IOException {
    this.base = base;
    this.token = token;
    HttpClient.Builder builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT);
    if (authority != null) {
      builder.sslContext(Pem.trusting("--ca", authority.toString()));
    }
    this.client = builder.build();
  }

  /**
   * @throws IOException with a one-line message when there is no answer
   */
  Answer get(String path) throws IOException {
    HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path)).timeout(TIMEOUT);
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    try {
      HttpResponse<String> response =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      return new Answer(response.statusCode(), response.body());
    } catch (ConnectException | HttpConnectTimeoutException e) {
      throw new IOException(
          "nothing answers at " + base + ": is the gateway running, and is this its HTTP address?",
          e);
    } catch (HttpTimeoutException e) {
      throw new IOException(base + " did not answer within " + TIMEOUT.toSeconds() + " s", e);
    } catch (SSLException e) {
      throw new IOException(
          "no TLS with %s (%s): a generated certificate needs --ca with the gateway's /ca.pem"
              .formatted(base, e.getMessage()),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while asking " + base, e);
    } catch (IOException e) {
      throw new IOException(base + " does not speak HTTP as a gateway does: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
