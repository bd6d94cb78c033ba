package dev.vigil.gateway.credentials;

import dev.vigil.gateway.problems.Problem;
import dev.vigil.gateway.problems.ProblemType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.net.URI;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Prevents cross-site request forgery: a page of another site must not change anything through the
 * browser of a person who can reach the gateway. Browsers name the requesting site (Fetch Metadata;
 * older ones the Origin of RFC 6454). Other clients name none and pass.
 */
public final class CrossSiteFilter extends HttpFilter {
  @Serial private static final long serialVersionUID = 1L;

  static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS");
  private static final Set<String> OWN_SITE = Set.of("same-origin", "none");

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (SAFE_METHODS.contains(request.getMethod()) || isOwnSite(request)) {
      chain.doFilter(request, response);
    } else {
      Problem.send(
          response,
          ProblemType.OTHER_SITE,
          HttpServletResponse.SC_FORBIDDEN,
          "requests from pages of other sites may only read");
    }
  }

  private static boolean isOwnSite(HttpServletRequest request) {
    String site = request.getHeader("Sec-Fetch-Site");
    if (site != null) {
      return OWN_SITE.contains(site);
    }
    String origin = request.getHeader("Origin");
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
