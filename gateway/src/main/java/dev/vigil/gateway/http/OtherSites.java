package dev.vigil.gateway.http;

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
 * Keeps a page of another site from changing anything through the browser of somebody who can reach
 * the gateway. Browsers name the site that asks (Fetch Metadata; the Origin of RFC 6454 where they
 * are older); clients that are no browsers name none and pass.
 */
public final class OtherSites extends HttpFilter {
  @Serial private static final long serialVersionUID = 1L;

  private static final Set<String> HARMLESS = Set.of("GET", "HEAD", "OPTIONS");
  private static final Set<String> OWN = Set.of("same-origin", "none");

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (HARMLESS.contains(request.getMethod()) || isOwn(request)) {
      chain.doFilter(request, response);
    } else {
      response.setStatus(HttpServletResponse.SC_FORBIDDEN);
      response.setContentType("text/plain;charset=utf-8");
      response.getWriter().write("a page of another site may not change anything here");
    }
  }

  private static boolean isOwn(HttpServletRequest request) {
    String site = request.getHeader("Sec-Fetch-Site");
    if (site != null) {
      return OWN.contains(site);
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
