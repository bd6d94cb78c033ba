package dev.vigil.directory.catalogue;

import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.LinkFormat;
import dev.vigil.coap.link.OwnAuthorities;
import dev.vigil.coap.link.UriReferences;
import dev.vigil.directory.publishing.Registration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * One lookup: considers candidate entries in order and collects the requested range of links that
 * match all criteria.
 */
public abstract sealed class LookupSearch {
  private final List<Criterion> criteria;
  private final GatewayBase gateway;
  private final Predicate<CatalogueEntry> visible;
  private final Range range;
  private final boolean publishedOnly;
  private long seen;
  private long octets;

  /**
   * The range of matching links that a lookup returns.
   *
   * @param first number of matching links to skip
   * @param count maximum number of links to collect
   * @param octets approximate limit of their text; the first link beyond it ends the search
   */
  public record Range(long first, long count, long octets) {}

  /**
   * @param criteria search criteria; neither {@code page} nor {@code count}
   * @param gateway this gateway, as lookups show it to this client
   * @param visible the entries that this client may see
   * @param publishedOnly whether to search only the links of published endpoints, unresolved
   */
  private LookupSearch(
      List<Query.Parameter> criteria,
      GatewayBase gateway,
      Predicate<CatalogueEntry> visible,
      Range range,
      boolean publishedOnly) {
    this.criteria = criteria.stream().map(Criterion::of).toList();
    this.gateway = gateway;
    this.visible = visible;
    this.range = range;
    this.publishedOnly = publishedOnly;
  }

  boolean publishedOnly() {
    return publishedOnly;
  }

  List<Criterion> criteria() {
    return criteria;
  }

  String ownBase() {
    return gateway.shown();
  }

  GatewayBase gateway() {
    return gateway;
  }

  /** Whether the requested range is full. */
  boolean isComplete() {
    return seen - range.first >= range.count || isTooLong();
  }

  /** Whether the links found have more octets than the range allows. */
  public boolean isTooLong() {
    return octets > range.octets;
  }

  /**
   * @return the cost, see {@link LookupBudget}
   */
  long consider(CatalogueEntry entry) {
    CatalogueEntry.Content content = entry.content();
    boolean inScope = !publishedOnly || content.origin() instanceof Registration.Published;
    boolean parsed =
        inScope && visible.test(entry) && !gateway.hidesEntry(content) && examine(entry, content);
    return LookupBudget.ENTRY + (parsed ? content.shownLength() : 0);
  }

  /**
   * @return whether the entry's links were parsed
   */
  abstract boolean examine(CatalogueEntry entry, CatalogueEntry.Content content);

  /** Counts a match; returns whether it is within the requested range. */
  boolean countMatch() {
    long number = seen++;
    return number >= range.first && number - range.first < range.count;
  }

  /** Counts the text of a found link. */
  void countOctets(long more) {
    octets += more;
  }

  /**
   * Finds endpoints that match every criterion by their own attributes or by any of their links.
   */
  public static final class Endpoints extends LookupSearch {
    /** Names and separators of the attributes that every endpoint has. */
    private static final int FRAME_OCTETS = 64;

    private final List<CatalogueEntry> found = new ArrayList<>();

    public Endpoints(
        List<Query.Parameter> criteria,
        GatewayBase gateway,
        Predicate<CatalogueEntry> visible,
        Range range) {
      super(criteria, gateway, visible, range, false);
    }

    public List<CatalogueEntry> found() {
      return found;
    }

    @Override
    boolean examine(CatalogueEntry entry, CatalogueEntry.Content content) {
      List<Criterion> left = unmatched(this, entry, content);
      if (!left.isEmpty()) {
        List<Link> links = gateway().visible(entry, content);
        String base = Criterion.base(content, ownBase());
        for (Criterion criterion : left) {
          if (links.stream().noneMatch(link -> criterion.matchesLink(link, base))) {
            return true;
          }
        }
      }
      if (countMatch()) {
        found.add(entry);
        countOctets(octets(entry, content));
      }
      return !left.isEmpty();
    }

    private long octets(CatalogueEntry entry, CatalogueEntry.Content content) {
      long octets =
          FRAME_OCTETS
              + entry.id().length()
              + entry.name().ep().length()
              + entry.name().d().length()
              + Criterion.base(content, ownBase()).length();
      for (Query.Parameter parameter : content.parameters()) {
        octets += LinkFormat.attributeLength(parameter.name(), parameter.value());
      }
      return octets;
    }
  }

  /** Finds links that match every criterion by their own attributes or by their endpoint. */
  public static final class Resources extends LookupSearch {
    private final List<Link> found = new ArrayList<>();

    public Resources(
        List<Query.Parameter> criteria,
        GatewayBase gateway,
        Predicate<CatalogueEntry> visible,
        Range range) {
      super(criteria, gateway, visible, range, false);
    }

    private Resources(
        List<Query.Parameter> criteria,
        GatewayBase gateway,
        Predicate<CatalogueEntry> visible,
        Range range,
        boolean publishedOnly) {
      super(criteria, gateway, visible, range, publishedOnly);
    }

    /**
     * For {@code /.well-known/core} (RFC 6690 section 4.1): finds only links of published
     * endpoints, which stay path-absolute, and only by their own attributes.
     *
     * @param requested scheme and authority by which the client reached the gateway
     */
    public static Resources ofPublished(
        List<Query.Parameter> criteria,
        String requested,
        OwnAuthorities own,
        Predicate<CatalogueEntry> visible,
        Range range) {
      return new Resources(criteria, new GatewayBase("", requested, own), visible, range, true);
    }

    public List<Link> found() {
      return found;
    }

    @Override
    boolean examine(CatalogueEntry entry, CatalogueEntry.Content content) {
      List<Criterion> left = unmatched(this, entry, content);
      String base = Criterion.base(content, ownBase());
      for (Link link : gateway().visible(entry, content)) {
        if (isComplete()) {
          break;
        }
        if (matchesAll(link, left, base) && countMatch()) {
          Link shown =
              publishedOnly()
                  ? link
                  : link.map(reference -> UriReferences.resolve(base, reference));
          found.add(shown);
          countOctets(LinkFormat.length(shown));
        }
      }
      return true;
    }
  }

  private static List<Criterion> unmatched(
      LookupSearch search, CatalogueEntry entry, CatalogueEntry.Content content) {
    if (search.publishedOnly) {
      return search.criteria;
    }
    // A plain loop, because lookups without criteria run it for each entry of the directory.
    List<Criterion> unmatched = List.of();
    for (Criterion criterion : search.criteria) {
      if (!criterion.matchesEndpoint(entry, content, search.ownBase())) {
        unmatched = unmatched.isEmpty() ? new ArrayList<>() : unmatched;
        unmatched.add(criterion);
      }
    }
    return unmatched;
  }

  private static boolean matchesAll(Link link, List<Criterion> criteria, String base) {
    for (Criterion criterion : criteria) {
      if (!criterion.matchesLink(link, base)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a link without an endpoint, such as the directory's own, matches all criteria. */
  public static boolean matches(Link link, List<Query.Parameter> criteria) {
    return matchesAll(link, criteria.stream().map(Criterion::of).toList(), "");
  }
}
