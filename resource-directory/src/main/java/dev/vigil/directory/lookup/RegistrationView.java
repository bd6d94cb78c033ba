package dev.vigil.directory.lookup;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.UriReferences;
import dev.vigil.directory.catalogue.CatalogueEntry;
import dev.vigil.directory.catalogue.GatewayBase;
import dev.vigil.directory.publishing.PublishedLocation;
import dev.vigil.directory.publishing.Registration;
import java.util.List;

/**
 * Shows the links of one registration: {@code GET /rd/{id}}. Links of a directly registered
 * endpoint are resolved against its base, because a client resolves relative links against this
 * gateway.
 */
public final class RegistrationView {
  /** Parsing, resolving and writing links takes about as long as searching eight times as many. */
  private static final long COST_PER_OCTET = 8;

  private final LookupContext context;
  private final PublishedLocation published;

  public RegistrationView(LookupContext context, PublishedLocation published) {
    this.context = context;
    this.published = published;
  }

  /**
   * @throws ErrorResponseException 4.04 for an expired registration or one of another link;
   *     otherwise as {@link Access} decides and, before the links are read, as {@link
   *     LookupConcurrencyLimit} decides
   */
  public Response show(Request request, CatalogueEntry entry) {
    context.access().require(request.caller(), Access.Action.LOOK_UP, entry.name().d());
    CatalogueEntry.Content content = entry.content();
    if (content.expires() <= context.clock().millis()
        || !LookupResponses.isOnLink(content, LinkLocalScope.of(request.caller()))) {
      throw new ErrorResponseException(Code.NOT_FOUND, "no such registration");
    }
    try (LookupConcurrencyLimit.Lookup budget = context.concurrency().begin(request.caller())) {
      budget.charge(COST_PER_OCTET * content.shownLength());
      return LookupResponses.response(request, links(request, entry, content))
          .observable(ObservedLookups.topicOfRegistration(entry.id()));
    }
  }

  private List<Link> links(Request request, CatalogueEntry entry, CatalogueEntry.Content content) {
    GatewayBase gateway =
        new GatewayBase(published.baseFor(request.base()), request.base(), published.own());
    if (gateway.hidesEntry(content)) {
      return List.of();
    }
    List<Link> links = gateway.visible(entry, content);
    return switch (content.origin()) {
      case Registration.Published atGateway -> links;
      case Registration.Direct direct ->
          links.stream()
              .map(link -> link.map(ref -> UriReferences.resolve(direct.base(), ref)))
              .toList();
    };
  }
}
