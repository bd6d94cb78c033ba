package dev.vigil.gateway.site;

import dev.vigil.directory.exchange.Resource;
import java.util.Map;

/**
 * The resources of one feature.
 *
 * @param resources by path, as {@link dev.vigil.directory.exchange.Site} takes them
 */
public record Mount(Map<String, Resource> resources) {
  public Mount {
    resources = Map.copyOf(resources);
  }
}
