package dev.vigil.gateway.http;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseCookie;

/**
 * The gateway's cookies. Scripts cannot read them, and browsers send them to this host alone, for
 * requests that its own pages make. Over HTTPS the prefix {@code __Host-} lets nobody else set
 * them.
 */
public enum GatewayCookie {
  /** The secret of a session, until the browser is closed. */
  SESSION("vigil-session", Duration.ofSeconds(-1), 43),

  /** Tells that an account has signed in with this browser before. */
  BROWSER("vigil-browser", Duration.ofDays(90), 86);

  private static final String PREFIX = "__Host-";

  private final String name;
  private final Duration age;
  private final Pattern pattern;
  private final Pattern prefixedPattern;

  /**
   * @param age negative: until the browser is closed
   * @param length characters of the value
   */
  GatewayCookie(String name, Duration age, int length) {
    this.name = name;
    this.age = age;
    this.pattern = pattern(name, length);
    this.prefixedPattern = pattern(PREFIX + name, length);
  }

  private static Pattern pattern(String name, int length) {
    return Pattern.compile("(?:^|;) *%s=([A-Za-z0-9_-]{%d}) *(?=;|$)".formatted(name, length));
  }

  /**
   * The value in a Cookie header; null when it has none. A cookie with the prefix wins: a host of
   * the same domain can set the other one too.
   */
  @Nullable String value(@Nullable String header) {
    if (header == null) {
      return null;
    }
    Matcher prefixed = prefixedPattern.matcher(header);
    if (prefixed.find()) {
      return prefixed.group(1);
    }
    Matcher plain = pattern.matcher(header);
    return plain.find() ? plain.group(1) : null;
  }

  /** The value that a request has; null when it has none. */
  public @Nullable String of(HttpServletRequest request) {
    return value(request.getHeader("Cookie"));
  }

  /** The header that sets the cookie. */
  public String set(HttpServletRequest request, String value) {
    return header(request, value, age);
  }

  /** The header that removes the cookie. */
  public String clear(HttpServletRequest request) {
    return header(request, "", Duration.ZERO);
  }

  private String header(HttpServletRequest request, String value, Duration maxAge) {
    boolean secure = isSecure(request);
    return ResponseCookie.from(secure ? PREFIX + name : name, value)
        .path("/")
        .httpOnly(true)
        .secure(secure)
        .sameSite("Strict")
        .maxAge(maxAge)
        .build()
        .toString();
  }

  /** A proxy may end TLS in front of the gateway: the browser names the scheme that it sees. */
  private static boolean isSecure(HttpServletRequest request) {
    String origin = request.getHeader("Origin");
    return request.isSecure() || origin != null && origin.startsWith("https:");
  }
}
