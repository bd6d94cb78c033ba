package dev.vigil.gateway.http;

import java.util.Map;
import org.apache.coyote.Response;

/**
 * The headers that protect browsers. Every response has them, including responses of the web server
 * itself.
 */
final class SecurityHeaders {
  /**
   * The policy of the pages' meta elements, and frame-ancestors, which only a header can set. Only
   * the reference of the REST API allows {@code data:} in its meta element. The picture of the
   * camera is not a resource: no directive concerns it.
   */
  private static final String CONTENT_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'";

  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy", CONTENT_POLICY,
          "X-Content-Type-Options", "nosniff",
          "X-Frame-Options", "DENY",
          "Referrer-Policy", "no-referrer",
          "Cross-Origin-Opener-Policy", "same-origin",
          "Cross-Origin-Resource-Policy", "same-origin",
          "Permissions-Policy", "camera=(self), geolocation=(), microphone=(), usb=()");

  private SecurityHeaders() {}

  static void set(Response response) {
    HEADERS.forEach(response::setHeader);
  }
}
