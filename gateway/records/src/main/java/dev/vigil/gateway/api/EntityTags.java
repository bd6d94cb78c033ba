package dev.vigil.gateway.api;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Entity tags (RFC 9110 section 8.8.3) of versioned objects. */
public final class EntityTags {
  private static final Pattern TAG = Pattern.compile(" *\"([0-9]{1,18})\" *");

  private EntityTags() {}

  public static String of(long version) {
    return "\"" + version + "\"";
  }

  /**
   * The version that a change is based on; empty without an If-Match header, and for {@code *}.
   *
   * @throws ErrorResponseException 4.12 when the header is not an entity tag of this gateway
   */
  public static OptionalLong ifMatch(@Nullable String header) {
    return header == null ? OptionalLong.empty() : read(header);
  }

  /**
   * The version that an If-Match header names; empty for {@code *}.
   *
   * @throws ErrorResponseException 4.12 when the header is not an entity tag of this gateway
   */
  public static OptionalLong read(String header) {
    if (header.strip().equals("*")) {
      return OptionalLong.empty();
    }
    Matcher tag = TAG.matcher(header);
    if (!tag.matches()) {
      throw new ProblemException(
          ProblemType.CHANGED_MEANWHILE,
          "invalid If-Match header: send the ETag of an earlier response");
    }
    return OptionalLong.of(Long.parseLong(tag.group(1)));
  }
}
