package dev.vigil.directory;

import dev.vigil.directory.catalogue.Entry;
import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.EntityTag;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.directory.exchange.Query;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.link.Link;
import dev.vigil.directory.link.LinkFormat;
import dev.vigil.directory.link.LinkJson;
import dev.vigil.directory.registration.Registration;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/** What all lookups share: paging, who may see what, and the two forms of the answer. */
final class Lookups {
  private Lookups() {}

  /**
   * Which of the matching links to return (RFC 9176 section 6.2).
   *
   * @param first how many to pass over
   * @param count how many to return; {@link #ALL} without {@code count}
   */
  record Page(long first, long count) {
    static final long ALL = -1;

    /**
     * @throws ExchangeException 4.00
     */
    static Page of(Query query) {
      long count = query.single("count").map(text -> number("count", text)).orElse(ALL);
      long page = query.single("page").map(text -> number("page", text)).orElse(0L);
      if (count == ALL && query.has("page")) {
        throw new ExchangeException(Code.BAD_REQUEST, "page without count");
      }
      return new Page(Math.max(0, count) * page, count);
    }

    private static long number(String name, String text) {
      boolean digits = text.chars().allMatch(c -> c >= '0' && c <= '9');
      if (text.isEmpty() || text.length() > 9 || !digits) {
        throw new ExchangeException(Code.BAD_REQUEST, name + " is not within 0 to 999999999");
      }
      return Long.parseLong(text);
    }

    long limit(int maxResults) {
      // One more than allowed shows that there are more.
      return count == ALL ? maxResults + 1L : Math.min(count, maxResults + 1L);
    }
  }

  static List<Query.Parameter> criteria(Query query) {
    return query.parameters().stream()
        .filter(p -> !p.name().equals("page") && !p.name().equals("count"))
        .toList();
  }

  /**
   * @throws ExchangeException 4.00 when an answer would be too long
   */
  static void requireAtMost(int maxResults, int found) {
    if (found > maxResults) {
      throw new ExchangeException(
          Code.BAD_REQUEST, "more than " + maxResults + " links match; use page and count");
    }
  }

  /**
   * What a caller may be shown: domains that it may look up in, and link-local registrations of its
   * own link.
   *
   * @throws ExchangeException as {@link Access} says, when the query names a refused domain, or
   *     none and even that of no name is refused
   */
  static Predicate<Entry> visible(Request request, Access access) {
    Caller caller = request.caller();
    String named = request.query().first("d").filter(d -> !d.endsWith("*")).orElse("");
    access.require(caller, Access.Action.LOOK_UP, named);
    String link = LocalLink.of(caller);
    Map<String, Boolean> domains = new HashMap<>();
    return entry ->
        domains.computeIfAbsent(entry.name().d(), d -> maySee(access, caller, d))
            && isOnLink(entry.content(), link);
  }

  private static boolean maySee(Access access, Caller caller, String domain) {
    return switch (access.decide(caller, Access.Action.LOOK_UP, domain)) {
      case Access.Allowed() -> true;
      case Access.Refused(Code code, String reason) -> false;
    };
  }

  static boolean isOnLink(Entry.Content content, String link) {
    return !(content.origin() instanceof Registration.Direct direct)
        || direct.link().isEmpty()
        || direct.link().equals(link);
  }

  /** Its tag is of the content, so that it survives a restart. */
  static Response response(Request request, List<Link> links) {
    ContentFormat format = request.choose(List.of(ContentFormat.LINK_FORMAT, ContentFormat.JSON));
    byte[] payload =
        format == ContentFormat.JSON
            ? LinkJson.write(links)
            : LinkFormat.write(links).getBytes(StandardCharsets.UTF_8);
    return Response.content(format, payload).withTag(new EntityTag(sum(payload), format));
  }

  private static long sum(byte[] payload) {
    CRC32C high = new CRC32C();
    CRC32 low = new CRC32();
    high.update(payload);
    low.update(payload);
    return high.getValue() << 24 ^ low.getValue();
  }

  static ExchangeException missing() {
    return new ExchangeException(Code.NOT_FOUND, "no such registration");
  }
}
