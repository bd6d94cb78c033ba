package dev.vigil.gateway.api;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Entity tags (RFC 9110 section 8.8.3) of versioned objects, and conditions that name them. */
public final class EntityTags {
  private static final Pattern TAG = Pattern.compile(" *\"([0-9]{1,18})\" *");
  private static final String ANY = "*";

  private EntityTags() {}

  public static String of(long version) {
    return "\"" + version + "\"";
  }

  /**
   * The version that a change is based on; empty without an If-Match header, and for {@code *}. For
   * objects that are known to exist; {@link #condition} also serves others.
   *
   * @throws ErrorResponseException 4.12 when the header is not an entity tag of this gateway
   */
  public static OptionalLong ifMatch(@Nullable String header) {
    if (header == null || isAny(header)) {
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

  private static boolean isAny(String header) {
    return header.strip().equals(ANY);
  }

  /**
   * The version that a request permits to replace, by its conditions (RFC 9110 section 13.1). The
   * change must be written with this version, because the object may change meanwhile.
   *
   * @param present the version of the object; null: there is none
   * @return 0: the object must not exist; empty: the request has no condition
   * @throws ErrorResponseException 4.12 when a condition about existence or with If-None-Match does
   *     not hold, or when If-Match is not an entity tag of this gateway
   */
  public static OptionalLong condition(
      @Nullable Long present, @Nullable String ifMatch, @Nullable String ifNoneMatch) {
    if (ifNoneMatch != null && present != null && names(ifNoneMatch, present)) {
      throw new ProblemException(
          ProblemType.CHANGED_MEANWHILE, "the object exists, which If-None-Match excludes");
    }
    OptionalLong wanted = ifMatch(ifMatch);
    if (ifMatch != null && present == null && wanted.orElse(1) != 0) {
      throw new ProblemException(
          ProblemType.CHANGED_MEANWHILE, "the object does not exist, which If-Match requires");
    }
    if (wanted.isPresent()) {
      return wanted;
    }
    return ifMatch == null && ifNoneMatch == null
        ? OptionalLong.empty()
        : OptionalLong.of(present == null ? 0 : present);
  }

  /** If-None-Match compares weakly, and may have several tags. */
  private static boolean names(String ifNoneMatch, long version) {
    return isAny(ifNoneMatch)
        || Stream.of(ifNoneMatch.split(","))
            .anyMatch(tag -> tag.strip().replaceFirst("^W/", "").equals(of(version)));
  }

  /**
   * The version whose contents decided the caller's rights; no other version may be changed.
   *
   * @param present as for {@link #condition}
   * @return 0: the object must not exist
   * @throws ErrorResponseException 4.12 when the request permits another version only
   */
  public static OptionalLong judged(
      @Nullable Long present, @Nullable String ifMatch, @Nullable String ifNoneMatch) {
    long judged = present == null ? 0 : present;
    if (condition(present, ifMatch, ifNoneMatch).orElse(judged) != judged) {
      throw new ProblemException(
          ProblemType.CHANGED_MEANWHILE,
          "the object has changed meanwhile, so nothing was written: read it again");
    }
    return OptionalLong.of(judged);
  }
}
