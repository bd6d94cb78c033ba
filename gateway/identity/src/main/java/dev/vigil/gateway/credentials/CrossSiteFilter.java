package dev.vigil.gateway.credentials;

import dev.vigil.gateway.problems.Problem;
import dev.vigil.gateway.problems.ProblemType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Prevents cross-site request forgery: a page of another site must not change anything through the
 * browser of a person who can reach the gateway. Browsers name the requesting site in Fetch
 * Metadata, older browsers in the Origin of RFC 6454. Requests of other clients name no site and
 * pass. A request with a session cookie also needs a header that pages of other sites cannot send.
 *
 * <p>Pages of allowed origins may change something with a token, which they have to know. Their
 * preflight requests (CORS) do not allow the header that cookies need.
 *
 * <p>It takes the place of Spring Security's {@code CsrfFilter}. That filter compares a token with
 * a stored token, which clients of the gateway do not have, and does not support Fetch Metadata.
 */
public final class CrossSiteFilter extends OncePerRequestFilter {
  /** The header that changing requests in a session need; any value is accepted. */
  static final String CSRF_HEADER = "X-Vigil-CSRF";

  private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS");
  private static final Set<String> OWN_SITE = Set.of("same-origin", "none");

  private final Set<String> allowedOrigins;

  /**
   * @param allowedOrigins origins of other sites whose pages may change something with a token
   */
  public CrossSiteFilter(Collection<String> allowedOrigins) {
    this.allowedOrigins = Set.copyOf(allowedOrigins);
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String refusal = SAFE_METHODS.contains(request.getMethod()) ? null : refusal(request);
    if (refusal == null) {
      chain.doFilter(request, response);
    } else {
      Problem.send(response, ProblemType.OTHER_SITE, HttpServletResponse.SC_FORBIDDEN, refusal);
    }
  }

  private @Nullable String refusal(HttpServletRequest request) {
    if (!mayChange(request)) {
      return "requests from pages of other sites may only read";
    }
    boolean ambient = Credentials.of(request).areAmbient();
    return ambient && request.getHeader(CSRF_HEADER) == null && !signsIn(request)
        ? "a request that changes something with a session's cookie needs the header "
            + CSRF_HEADER
            + ": 1"
        : null;
  }

  /** A sign-in replaces the cookie's session and does not use it. */
  private static boolean signsIn(HttpServletRequest request) {
    return request.getMethod().equals("POST") && request.getRequestURI().equals("/api/session");
  }

  private boolean mayChange(HttpServletRequest request) {
    String origin = request.getHeader("Origin");
    if (origin != null && allowedOrigins.contains(origin)) {
      return true;
    }
    String site = request.getHeader("Sec-Fetch-Site");
    if (site != null) {
      return OWN_SITE.contains(site);
    }
    return origin == null || sameAuthority(origin, request.getHeader("Host"));
  }

  private static boolean sameAuthority(String origin, @Nullable String host) {
    try {
      String authority = URI.create(origin).getRawAuthority();
      return authority != null && authority.equalsIgnoreCase(host);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
