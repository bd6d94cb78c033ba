package dev.vigil.gateway.publish;

import dev.vigil.directory.catalogue.Entry;
import dev.vigil.directory.exchange.Query;
import dev.vigil.directory.registration.Registration;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What another directory is to show of an endpoint.
 *
 * @param parameters of the registration, but its lifetime
 * @param links in link format; path-absolute ones are ours
 * @param expires unix time in seconds
 */
record Wanted(List<Query.Parameter> parameters, byte[] links, long expires) {

  /**
   * @param entry of our own directory
   * @param base scheme and authority of ours; empty: where the request comes from
   * @param now unix time in seconds
   * @return empty when it is not to be shown: another's, or run out
   */
  static Optional<Wanted> of(Entry entry, String base, long now) {
    Entry.Content content = entry.content();
    long expires = content.expires() / 1000;
    if (!(content.origin() instanceof Registration.Mirrored) || expires <= now) {
      return Optional.empty();
    }
    List<Query.Parameter> parameters = new ArrayList<>();
    parameters.add(new Query.Parameter("ep", entry.name().ep()));
    if (!entry.name().d().isEmpty()) {
      parameters.add(new Query.Parameter("d", entry.name().d()));
    }
    if (!base.isEmpty()) {
      parameters.add(new Query.Parameter("base", base));
    }
    parameters.addAll(content.parameters());
    return Optional.of(new Wanted(List.copyOf(parameters), content.links(), expires));
  }

  /** Tells apart what is to be shown from what is shown. */
  String digest() {
    byte[] told = parameters.toString().getBytes(StandardCharsets.UTF_8);
    byte[] all = new byte[told.length + links.length];
    System.arraycopy(told, 0, all, 0, told.length);
    System.arraycopy(links, 0, all, told.length, links.length);
    return Published.digest(all);
  }
}
