package dev.vigil.directory.catalogue;

import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.limits.FairPool;
import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.LinkFormat;
import dev.vigil.directory.publishing.PublishedLocation;
import dev.vigil.directory.publishing.Registration;
import dev.vigil.store.EndpointName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One endpoint of the catalogue. Ordinal, id and name never change; the content is replaced as a
 * whole under the catalogue's lock, and is read without the lock.
 */
public final class CatalogueEntry {
  private final int ordinal;
  private final String id;
  private final EndpointName name;
  private volatile Content content;

  /** Unix time in s of the valid {@link LifetimeQueue} element; guarded by the catalogue's lock. */
  private long due;

  /**
   * The place of a stranger's entry, which gives way first; null for other entries and while the
   * entry is being evicted. Guarded by the catalogue's lock.
   */
  FairPool<CatalogueEntry>.@Nullable Place place;

  /**
   * The registration as of its last change.
   *
   * @param version the endpoint's version after that change, on which the next decision is based
   * @param expires unix time in ms from which no lookup shows the entry
   * @param links link format, as the endpoint wrote it. Text takes a third of the memory of link
   *     objects, and a lookup parses only the links of candidate entries. Endpoints of the same
   *     type have the same text, which is kept only once
   * @param location the location that serves the resources of a published endpoint; null for others
   */
  public record Content(
      Registration.Origin origin,
      long lifetime,
      long version,
      long expires,
      List<Query.Parameter> parameters,
      String links,
      @Nullable PublishedLocation location) {

    /**
     * The links as lookups show them; links of a published endpoint refer to the location that
     * serves them.
     *
     * @param id of the entry
     */
    public List<Link> parseLinks(String id) {
      return location != null && origin instanceof Registration.Published(String jkt)
          ? PublishedLinks.rewrite(links, location, id, jkt)
          : LinkFormat.parse(links, LinkFormat.Limits.NONE);
    }

    /**
     * The unix time in ms from which the registration is removed.
     *
     * <p>The grace period of a stranger's entry is at most as long as its lifetime. Otherwise
     * entries that nobody renews would fill the memory and slow down the next start.
     *
     * @param graceMillis how long other entries can be renewed after their lifetime
     */
    long graceEnd(long graceMillis) {
      if (!(origin instanceof Registration.Direct direct)) {
        return expires + graceMillis;
      }
      if (direct.simple()) {
        return expires;
      }
      return direct.registrant().isStranger()
          ? expires + Math.min(graceMillis, 1000 * lifetime)
          : expires + graceMillis;
    }

    /** The approximate number of characters of the links as lookups show them. */
    public int shownLength() {
      return location == null ? links.length() : 3 * links.length();
    }
  }

  CatalogueEntry(int ordinal, String id, EndpointName name, Content content) {
    this.ordinal = ordinal;
    this.id = id;
    this.name = name;
    this.content = content;
  }

  int ordinal() {
    return ordinal;
  }

  /** The id in {@code /rd/{id}}. */
  public String id() {
    return id;
  }

  public EndpointName name() {
    return name;
  }

  public Content content() {
    return content;
  }

  long due() {
    return due;
  }

  void dueAt(long second) {
    due = second;
  }

  void replace(Content newContent) {
    content = newContent;
  }
}
