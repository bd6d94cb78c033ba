package dev.vigil.directory.catalogue;

import dev.vigil.directory.exchange.Query;
import dev.vigil.directory.link.Link;
import dev.vigil.directory.link.LinkFormat;
import dev.vigil.directory.registration.Registration;
import dev.vigil.directory.state.EndpointName;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One endpoint of the catalogue. Its place and names never change; its content is replaced whole,
 * under the catalogue's lock, and read without.
 */
public final class Entry {
  private final int ordinal;
  private final String id;
  private final EndpointName name;
  private volatile Content content;

  /** The second that {@link Lifetimes} knows for this entry; guarded by the catalogue's lock. */
  private long due;

  /**
   * What the last change said.
   *
   * @param version of the endpoint once that change had landed, to decide the next one on
   * @param expires unix time in ms from which on no lookup shows it
   * @param links link format in UTF-8; those of a mirrored endpoint rewritten below {@code
   *     /ms/{id}}. Text takes a third of the memory that links as objects do, and a lookup parses
   *     only what it returns
   */
  public record Content(
      Registration.Origin origin,
      long lifetime,
      long version,
      long expires,
      List<Query.Parameter> parameters,
      byte[] links) {

    public List<Link> parseLinks() {
      return LinkFormat.parse(new String(links, StandardCharsets.UTF_8), LinkFormat.Limits.NONE);
    }
  }

  Entry(int ordinal, String id, EndpointName name, Content content) {
    this.ordinal = ordinal;
    this.id = id;
    this.name = name;
    this.content = content;
  }

  int ordinal() {
    return ordinal;
  }

  /** As in {@code /rd/{id}}. */
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
