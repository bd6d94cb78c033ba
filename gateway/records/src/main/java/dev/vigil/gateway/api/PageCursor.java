package dev.vigil.gateway.api;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** An opaque position in a list. A client sends it back to request the next page. */
public final class PageCursor {
  private static final char SEPARATOR = '\0';

  private PageCursor() {}

  public static String of(String... parts) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(
            String.join(String.valueOf(SEPARATOR), parts).getBytes(StandardCharsets.UTF_8));
  }

  /**
   * @param parts number of parts that were passed to {@link #of}
   * @throws ErrorResponseException 4.00 when the cursor is malformed
   */
  public static List<String> read(String cursor, int parts) {
    try {
      String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
      List<String> read = List.of(text.split(String.valueOf(SEPARATOR), -1));
      if (read.size() == parts) {
        return read;
      }
    } catch (IllegalArgumentException e) {
      // Reported below.
    }
    throw new ProblemException(
        ProblemType.INVALID_CURSOR, "after must be the next of an earlier response");
  }

  /**
   * Checks the size of a page.
   *
   * @throws ErrorResponseException 4.00 when the size is out of range
   */
  public static int limit(int limit, int max) {
    if (limit < 1 || limit > max) {
      throw new ProblemException(ProblemType.INVALID_PARAMETER, "limit must be 1 to " + max);
    }
    return limit;
  }
}
