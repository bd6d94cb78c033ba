package dev.vigil.directory.registration;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Resource;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.link.LinkFormat;
import dev.vigil.directory.catalogue.Catalogue;
import dev.vigil.directory.catalogue.CatalogueEntry;
import dev.vigil.directory.lookup.RegistrationView;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code /rd} and {@code /rd/{id}} (RFC 9176 sections 5 and 5.3). */
public final class DirectoryRegistrationResource implements Resource {
  private final DirectoryRegistrationService registrations;
  private final Catalogue catalogue;
  private final RegistrationView view;
  private final LinkFormat.Limits limits;

  public DirectoryRegistrationResource(
      DirectoryRegistrationService registrations,
      Catalogue catalogue,
      RegistrationView view,
      LinkFormat.Limits limits) {
    this.registrations = registrations;
    this.catalogue = catalogue;
    this.view = view;
    this.limits = limits;
  }

  @Override
  public CompletableFuture<Response> answer(Request request) {
    List<String> path = request.path();
    if (path.size() == 1) {
      return switch (request.method()) {
        case POST -> register(request);
        case GET, PUT, DELETE -> throw notAllowed();
      };
    }
    CatalogueEntry entry =
        catalogue
            .byId(path.get(1))
            .filter(known -> path.size() == 2)
            .orElseThrow(DirectoryRegistrationService::missing);
    return switch (request.method()) {
      case GET -> CompletableFuture.completedFuture(view.show(request, entry));
      case POST -> update(request, entry);
      case DELETE ->
          registrations.remove(request, entry).thenApply(change -> Response.of(Code.DELETED));
      case PUT -> throw notAllowed();
    };
  }

  private CompletableFuture<Response> register(Request request) {
    RegistrationParameters parameters = RegistrationParameters.of(request.query());
    ContentFormat format = request.format();
    if (format != null && format != ContentFormat.LINK_FORMAT) {
      throw new ErrorResponseException(
          Code.UNSUPPORTED_CONTENT_FORMAT,
          "a registration must be in link format (40, application/link-format)");
    }
    return registrations
        .register(
            request, parameters, RegistrationParameters.links(request.payload(), limits), false)
        .thenApply(change -> Response.created(List.of("rd", change.id())));
  }

  private CompletableFuture<Response> update(Request request, CatalogueEntry entry) {
    if (request.payload().length > 0) {
      throw new ErrorResponseException(
          Code.BAD_REQUEST, "an update must not have a payload; register again to change links");
    }
    return registrations
        .update(request, entry, RegistrationParameters.of(request.query()))
        .thenApply(change -> Response.of(Code.CHANGED));
  }

  private static ErrorResponseException notAllowed() {
    return new ErrorResponseException(
        Code.METHOD_NOT_ALLOWED, "this resource does not support the method");
  }
}
