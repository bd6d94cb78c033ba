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
 * HTTP requests to a server of the settings. Redirects are not followed; messages never show the
 * address, which may hold a secret.
 */
public final class OutboundHttp implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final long TIMEOUT_SECONDS = 20;

  private final HttpClient http;

  /**
   * @param property the name under which the settings stand, for messages
   * @param ca a PEM file with the authorities of the server's certificate; empty: those of Java
   * @throws IOException begins with "cannot" and names the file that cannot be used
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
   * Sends a request, and waits for the whole answer.
   *
   * @throws IOException without an answer within 20 seconds; its message is for the operator
   */
  public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> body)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<T>> answer = http.sendAsync(request, body);
    try {
      return answer.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new IOException("no answer within " + TIMEOUT_SECONDS + " s", e);
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
   * The error of an answer that is neither success nor a refusal of the request itself.
   *
   * @param status 300 or more
   */
  public static IOException failure(int status) {
    return new IOException(
        "the server answered " + status + (status < 400 ? ": redirects are not followed" : ""));
  }

  /** Makes requests under way fail, and all later ones. */
  @Override
  public void close() {
    http.shutdownNow();
  }
}
