package dev.vigil.directory.registration;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.OwnAuthorities;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Refuses registrations that describe the gateway's own resources. Paths refer to the registrant's
 * base.
 */
record GatewayReferences(OwnAuthorities own) {
  /**
   * @throws ErrorResponseException 4.00 if a base, a target or an anchor names this gateway
   */
  void refuse(Request request, Optional<String> base, List<Link> links) {
    Stream<String> references = links.stream().flatMap(GatewayReferences::references);
    Stream.concat(base.stream(), references)
        .filter(own.seenAs(request.base())::contains)
        .findAny()
        .ifPresent(
            reference -> {
              throw new ErrorResponseException(
                  Code.BAD_REQUEST,
                  "the registration names this gateway: <"
                      + RegistrationParameters.printable(reference)
                      + ">; only the gateway may describe its own resources");
            });
  }

  private static Stream<String> references(Link link) {
    return Stream.concat(Stream.of(link.target()), link.attribute(Link.ANCHOR).stream());
  }
}
