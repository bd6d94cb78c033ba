package dev.vigil.gateway.credentials;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseCookie;

/**
 * The gateway's cookies. Scripts cannot read them, and browsers send them only to this host.
 * Browsers send strict cookies only in requests from the gateway's own pages. Over HTTPS, the
 * prefix {@code __Host-} prevents other hosts from setting them.
 */
public enum GatewayCookie {
  /** The secret of a session; valid until the browser is closed. */
  SESSION("vigil-session", Duration.ofSeconds(-1), 43, "Strict"),

  /** Shows that an account has signed in with this browser before. */
  BROWSER("vigil-browser", Duration.ofDays(90), 86, "Strict"),

  /** A pending sign-in at the provider, whose pages redirect the browser back. */
  SIGN_IN("vigil-sign-in", Duration.ofMinutes(10), 86, "Lax");

  private static final String PREFIX = "__Host-";

  private final String name;
  private final Duration age;
  private final String sameSite;
  private final Pattern pattern;

  /**
   * @param age lifetime; negative: until the browser is closed
   * @param length number of characters of the value
   * @param sameSite Lax: also sent when a link of another site leads here
   */
  GatewayCookie(String name, Duration age, int length, String sameSite) {
    this.name = name;
    this.age = age;
    this.sameSite = sameSite;
    this.pattern =
        Pattern.compile(
            "(?:^|;) *(%s)?%s=([A-Za-z0-9_-]{%d}) *(?=;|$)".formatted(PREFIX, name, length));
  }

  /**
   * The value in a Cookie header; null when the cookie is missing. A cookie with the prefix takes
   * precedence, because another host of the same domain can set a cookie without it.
   *
   * @param secure whether only a cookie with the prefix counts
   */
  @Nullable String value(@Nullable String header, boolean secure) {
    String value = null;
    Matcher found = pattern.matcher(header == null ? "" : header);
    while (found.find()) {
      if (found.group(1) != null) {
        return found.group(2);
      }
      value = value == null && !secure ? found.group(2) : value;
    }
    return value;
  }

  /**
   * The value in a request; null when the cookie is missing. Over HTTPS, a cookie without the
   * prefix does not count: another host, or somebody between browser and gateway, may have set it
   * over plain HTTP.
   */
  public @Nullable String of(HttpServletRequest request) {
    return value(request.getHeader("Cookie"), isSecure(request));
  }

  /** Whether the request has the cookie with the prefix, which only this host can set. */
  public boolean isPrefixed(HttpServletRequest request) {
    return value(request.getHeader("Cookie"), true) != null;
  }

  /** The header that sets the cookie. */
  public String set(HttpServletRequest request, String value) {
    return set(isSecure(request), value);
  }

  /**
   * The header that sets the cookie.
   *
   * @param secure whether the browser reached the gateway over HTTPS
   */
  public String set(boolean secure, String value) {
    return header(secure, value, age);
  }

  /** The header that removes the cookie. */
  public String clear(HttpServletRequest request) {
    return clear(isSecure(request));
  }

  /** The header that removes the cookie. */
  public String clear(boolean secure) {
    return header(secure, "", Duration.ZERO);
  }

  private String header(boolean secure, String value, Duration maxAge) {
    return ResponseCookie.from(secure ? PREFIX + name : name, value)
        .path("/")
        .httpOnly(true)
        .secure(secure)
        .sameSite(sameSite)
        .maxAge(maxAge)
        .build()
        .toString();
  }

  /**
   * Whether the browser reached the gateway over HTTPS. A proxy may terminate TLS in front of the
   * gateway. The browser's header Origin then shows it, which most GET requests lack, or the
   * proxy's header X-Forwarded-Proto.
   */
  public static boolean isSecure(HttpServletRequest request) {
    String origin = request.getHeader("Origin");
    String forwarded = request.getHeader("X-Forwarded-Proto");
    return request.isSecure()
        || origin != null && origin.startsWith("https:")
        || forwarded != null && forwarded.startsWith("https");
  }
}
