package dev.vigil.gateway.http;

import dev.vigil.gateway.problems.Problem;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.MappingMatch;
import java.io.IOException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses paths whose beginning differs from the form that Tomcat decoded, for instance by an
 * escaped letter or a dot segment. Spring Security compares the path as the client wrote it, and
 * would fail with an exception in the log.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
final class PathFilter extends OncePerRequestFilter {
  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String servlet = request.getServletPath();
    String written = request.getRequestURI();
    boolean same = written.equals(servlet) || written.startsWith(servlet + "/");
    if (same || request.getHttpServletMapping().getMappingMatch() != MappingMatch.PATH) {
      chain.doFilter(request, response);
    } else {
      Problem.send(response, HttpServletResponse.SC_BAD_REQUEST, "the path is not in normal form");
    }
  }
}
