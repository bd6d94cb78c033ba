package dev.vigil.directory.lookup;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Response;
import dev.vigil.directory.catalogue.CatalogueEntry;

/** Shows the links of one registration: {@code GET /rd/{id}}. */
public final class RegistrationView {
  private final LookupContext context;

  public RegistrationView(LookupContext context) {
    this.context = context;
  }

  /**
   * @throws ErrorResponseException 4.04 for an expired or another link's registration; as {@link
   *     Access} decides
   */
  public Response show(Request request, CatalogueEntry entry) {
    context.access().require(request.caller(), Access.Action.LOOK_UP, entry.name().d());
    CatalogueEntry.Content content = entry.content();
    if (content.expires() <= context.clock().millis()
        || !LookupResponses.isOnLink(content, LinkLocalScope.of(request.caller()))) {
      throw new ErrorResponseException(Code.NOT_FOUND, "no such registration");
    }
    return LookupResponses.response(request, content.parseLinks())
        .observable(ObservedLookups.topicOfRegistration(entry.id()));
  }
}
