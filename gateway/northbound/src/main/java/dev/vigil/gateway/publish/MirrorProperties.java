package dev.vigil.gateway.publish;

import java.net.URI;
import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Publication of mirrored endpoints.
 *
 * @param base scheme and authority of mirrored endpoints in directories, for instance {@code
 *     coap://[2001:db8::1]}; empty: the address by which a client reached the gateway; in remote
 *     directories the source address of the registration, which is the CoAP server's address
 * @param publish remote directories (RFC 9176) that also receive the endpoints, for instance {@code
 *     coap://[2001:db8::2]}; a path replaces the discovery of the registration resource
 */
public record MirrorProperties(@DefaultValue("") String base, @DefaultValue List<URI> publish) {
  public MirrorProperties {
    for (URI directory : publish) {
      if (!"coap".equals(directory.getScheme())
          || directory.getHost() == null
          || directory.getRawQuery() != null) {
        throw new IllegalArgumentException(
            "mirror.publish must have addresses such as coap://[2001:db8::2] or coap://rd.example, not "
                + directory);
      }
    }
    publish = List.copyOf(publish);
  }
}
