package dev.vigil.directory.publishing;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.link.OwnAuthorities;

/**
 * The location at which the service for published endpoints serves their resources and keys.
 *
 * @param base scheme and authority that lookups show for published endpoints; empty to show the
 *     ones by which each client reached the directory
 * @param resources path below which the resources are served: {@code {resources}/{id}/{path}}, id
 *     being the endpoint's id in the store
 * @param keys path below which the signing keys are served: {@code {keys}/{thumbprint}}
 * @param keyFormat Content-Format of a served key
 * @param own the authorities of this gateway; links of others must not refer to them
 */
public record PublishedLocation(
    String base, String resources, String keys, ContentFormat keyFormat, OwnAuthorities own) {

  public PublishedLocation(String base, String resources, String keys, ContentFormat keyFormat) {
    this(base, resources, keys, keyFormat, OwnAuthorities.UNKNOWN);
  }

  /** The base that lookups show to a client that reached the directory under {@code requested}. */
  public String baseFor(String requested) {
    return base.isEmpty() ? requested : base;
  }
}
