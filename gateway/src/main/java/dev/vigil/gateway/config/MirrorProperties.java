package dev.vigil.gateway.config;

import java.net.URI;
import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * @param base scheme and authority under which directories publish mirrored endpoints, for instance
 *     {@code coap://[2001:db8::1]}; empty: as each client reached us, and another directory takes
 *     the address and port that we ask it from, which are those we serve at
 * @param publish other directories (RFC 9176) that show our endpoints too, for instance {@code
 *     coap://[2001:db8::2]}; with a path where they register elsewhere than they themselves say
 */
public record MirrorProperties(@DefaultValue("") String base, @DefaultValue List<URI> publish) {
  public MirrorProperties {
    for (URI directory : publish) {
      if (!"coap".equals(directory.getScheme())
          || directory.getHost() == null
          || directory.getRawQuery() != null) {
        throw new IllegalArgumentException(
            "mirror.publish takes addresses such as coap://[2001:db8::2] or coap://rd.example, not "
                + directory);
      }
    }
    publish = List.copyOf(publish);
  }
}
