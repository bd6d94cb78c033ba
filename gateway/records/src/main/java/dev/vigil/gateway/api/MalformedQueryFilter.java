package dev.vigil.gateway.api;

import dev.vigil.gateway.problems.Problem;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Refuses queries that are not percent-encoded UTF-8 (RFC 3986 section 2.1) before anything reads a
 * parameter. Otherwise Tomcat or Spring would throw an exception and log a stack trace.
 */
final class MalformedQueryFilter extends HttpFilter {
  @Serial private static final long serialVersionUID = 1L;

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String query = request.getQueryString();
    if (query == null || isWellFormed(query)) {
      chain.doFilter(request, response);
      return;
    }
    Problem.send(
        response,
        HttpServletResponse.SC_BAD_REQUEST,
        "the query is not percent-encoded UTF-8: encode it as described in RFC 3986");
  }

  static boolean isWellFormed(String query) {
    byte[] octets = new byte[query.length()];
    int length = 0;
    for (int i = 0; i < query.length(); i++) {
      char c = query.charAt(i);
      if (c == '%') {
        if (i + 2 >= query.length()
            || !HexFormat.isHexDigit(query.charAt(i + 1))
            || !HexFormat.isHexDigit(query.charAt(i + 2))) {
          return false;
        }
        octets[length++] = (byte) HexFormat.fromHexDigits(query, i + 1, i + 3);
        i += 2;
      } else if (c <= ' ' || c >= 0x7f) {
        return false;
      } else {
        octets[length++] = (byte) c;
      }
    }
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(octets, 0, length));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }
}
