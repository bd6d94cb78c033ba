package dev.vigil.directory.lookup;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.EntityTag;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.LinkFormat;
import dev.vigil.coap.link.LinkJson;
import dev.vigil.directory.catalogue.CatalogueEntry;
import dev.vigil.directory.publishing.Registration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/** Paging, visibility and content formats of lookup answers. */
final class LookupResponses {
  private LookupResponses() {}

  /**
   * The range of matching links to return (RFC 9176 section 6.2).
   *
   * @param first number of links to skip
   * @param count number of links to return; {@link #ALL} without {@code count}
   */
  record Page(long first, long count) {
    static final long ALL = -1;

    /**
     * @throws ErrorResponseException 4.00 for a malformed {@code page} or {@code count}
     */
    static Page of(Query query) {
      long count = query.single("count").map(text -> number("count", text)).orElse(ALL);
      long page = query.single("page").map(text -> number("page", text)).orElse(0L);
      if (count == ALL && query.has("page")) {
        throw new ErrorResponseException(Code.BAD_REQUEST, "page without count");
      }
      return new Page(Math.max(0, count) * page, count);
    }

    private static long number(String name, String text) {
      boolean digits = text.chars().allMatch(c -> c >= '0' && c <= '9');
      if (text.isEmpty() || text.length() > 9 || !digits) {
        throw new ErrorResponseException(Code.BAD_REQUEST, name + " is not within 0 to 999999999");
      }
      return Long.parseLong(text);
    }

    long limit(int maxResults) {
      // One link above the limit shows that the answer would be too long.
      return count == ALL ? maxResults + 1L : Math.min(count, maxResults + 1L);
    }
  }

  static List<Query.Parameter> criteria(Query query) {
    return query.parameters().stream()
        .filter(p -> !p.name().equals("page") && !p.name().equals("count"))
        .toList();
  }

  /**
   * The entries that a caller may see: entries of domains in which it may look up, and link-local
   * registrations only of its own link.
   *
   * @throws ErrorResponseException as {@link Access} decides, if the domain that the query names is
   *     refused, or if it names no domain and the nameless domain is refused
   */
  static Predicate<CatalogueEntry> visible(Request request, Access access) {
    Caller caller = request.caller();
    String named = request.query().first("d").filter(d -> !d.endsWith("*")).orElse("");
    access.require(caller, Access.Action.LOOK_UP, named);
    String link = LinkLocalScope.of(caller);
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

  static boolean isOnLink(CatalogueEntry.Content content, String link) {
    return !(content.origin() instanceof Registration.Direct direct)
        || direct.link().isEmpty()
        || direct.link().equals(link);
  }

  /** The ETag is a checksum of the content, so that it stays valid across restarts. */
  static Response response(Request request, List<Link> links) {
    ContentFormat format = request.choose(List.of(ContentFormat.LINK_FORMAT, ContentFormat.JSON));
    byte[] payload =
        format == ContentFormat.JSON ? LinkJson.write(links) : LinkFormat.writeOctets(links);
    return Response.content(format, payload).withTag(new EntityTag(checksum(payload), format));
  }

  private static long checksum(byte[] payload) {
    CRC32C high = new CRC32C();
    CRC32 low = new CRC32();
    high.update(payload);
    low.update(payload);
    return high.getValue() << 24 ^ low.getValue();
  }
}
