package dev.vigil.gateway.northbound;

import dev.vigil.gateway.files.TrustedAuthorities;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;

/**
 * Sends HTTP requests to a server from the settings without following redirects. Messages never
 * show the address because it may contain a secret.
 */
public final class OutboundHttp implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final long TIMEOUT_SECONDS = 20;

  private final HttpClient http;

  /**
   * @param property the prefix of the settings, for messages
   * @param ca a PEM file with the authorities of the server's certificate; empty: Java's
   *     authorities
   * @throws IOException with a message that begins with "cannot" and names the unusable file
   */
  public OutboundHttp(String property, String ca) throws IOException {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(Version.HTTP_1_1)
            .followRedirects(Redirect.NEVER)
            .connectTimeout(CONNECT);
    if (!ca.isEmpty()) {
      builder.sslContext(tls(property, ca));
    }
    http = builder.build();
  }

  private static SSLContext tls(String property, String ca) throws IOException {
    try {
      SSLContext tls = SSLContext.getInstance("TLS");
      tls.init(
          null, TrustedAuthorities.of("vigil." + property + ".ca", ca).getTrustManagers(), null);
      return tls;
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot use the certificates of vigil." + property, e);
    }
  }

  /**
   * Sends a request and waits for the whole response.
   *
   * @throws IOException when no response arrives within 20 seconds; its message is for the operator
   */
  public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> body)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<T>> answer = http.sendAsync(request, body);
    try {
      return answer.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new IOException("the server did not answer within " + TIMEOUT_SECONDS + " s", e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      String message = cause.getMessage();
      throw new IOException(
          message == null
              ? "cannot reach the server: " + cause.getClass().getSimpleName()
              : message,
          cause);
    }
  }

  /**
   * The error for a response that is neither a success nor a refusal of the request itself.
   *
   * @param status 300 or more
   */
  public static IOException failure(int status) {
    return new IOException(
        "the server answered " + status + (status < 400 ? ": redirects are not followed" : ""));
  }

  /** Makes requests in progress and all later requests fail. */
  @Override
  public void close() {
    http.shutdownNow();
  }
}
