package dev.vigil.gateway.http;

import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** A place in a list, as clients hand it back: they need not understand it. */
public final class Cursor {
  private static final char BETWEEN = '\0';

  private Cursor() {}

  public static String of(String... parts) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(
            String.join(String.valueOf(BETWEEN), parts).getBytes(StandardCharsets.UTF_8));
  }

  /**
   * @throws ExchangeException 4.00 when it is none of ours
   */
  public static List<String> read(String cursor, int parts) {
    try {
      String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
      List<String> read = List.of(text.split(String.valueOf(BETWEEN), -1));
      if (read.size() == parts) {
        return read;
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    throw new ExchangeException(Code.BAD_REQUEST, "after is not the next of an answer");
  }

  /**
   * How many a page holds.
   *
   * @throws ExchangeException 4.00 when that is out of range
   */
  public static int limit(int asked, int most) {
    if (asked < 1 || asked > most) {
      throw new ExchangeException(Code.BAD_REQUEST, "limit is 1 to " + most);
    }
    return asked;
  }
}
