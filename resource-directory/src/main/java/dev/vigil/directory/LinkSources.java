package dev.vigil.directory;

import dev.vigil.coap.exchange.LinkFetcher;
import dev.vigil.coap.link.Link;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The sources of links other than registrations.
 *
 * @param contributors further links for {@code /.well-known/core}, in addition to the links of
 *     published endpoints
 * @param fetcher fetches the links of hosts that register by {@code /.well-known/rd}; without one,
 *     simple registration is answered with 5.01
 */
public record LinkSources(List<Supplier<List<Link>>> contributors, Optional<LinkFetcher> fetcher) {
  public static final LinkSources NONE = new LinkSources(List.of(), Optional.empty());

  public LinkSources {
    contributors = List.copyOf(contributors);
  }
}
