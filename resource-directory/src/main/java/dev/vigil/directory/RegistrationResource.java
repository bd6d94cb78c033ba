package dev.vigil.directory;

import dev.vigil.directory.catalogue.Catalogue;
import dev.vigil.directory.catalogue.Entry;
import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Resource;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.link.LinkFormat;
import dev.vigil.directory.registration.Parameters;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code /rd} and {@code /rd/{id}} (RFC 9176 sections 5 and 5.3). */
final class RegistrationResource implements Resource {
  private final Registrar registrar;
  private final Catalogue catalogue;
  private final Access access;
  private final LinkFormat.Limits limits;
  private final Clock clock;

  RegistrationResource(
      Registrar registrar,
      Catalogue catalogue,
      Access access,
      LinkFormat.Limits limits,
      Clock clock) {
    this.registrar = registrar;
    this.catalogue = catalogue;
    this.access = access;
    this.limits = limits;
    this.clock = clock;
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
    Entry entry =
        path.size() == 2 ? catalogue.byId(path.get(1)).orElseThrow(Lookups::missing) : missing();
    return switch (request.method()) {
      case GET -> CompletableFuture.completedFuture(show(request, entry));
      case POST -> update(request, entry);
      case DELETE ->
          registrar.remove(request, entry).thenApply(change -> Response.of(Code.DELETED));
      case PUT -> throw notAllowed();
    };
  }

  private CompletableFuture<Response> register(Request request) {
    Parameters parameters = Parameters.of(request.query());
    ContentFormat format = request.format();
    if (format != null && format != ContentFormat.LINK_FORMAT) {
      throw new ExchangeException(
          Code.UNSUPPORTED_CONTENT_FORMAT,
          "a registration is in link format (40, application/link-format)");
    }
    return registrar
        .register(request, parameters, Parameters.links(request.payload(), limits), false)
        .thenApply(change -> Response.created(List.of("rd", change.id())));
  }

  private CompletableFuture<Response> update(Request request, Entry entry) {
    if (request.payload().length > 0) {
      throw new ExchangeException(
          Code.BAD_REQUEST, "an update has no payload; register again to change links");
    }
    return registrar
        .update(request, entry, Parameters.of(request.query()))
        .thenApply(change -> Response.of(Code.CHANGED));
  }

  private Response show(Request request, Entry entry) {
    access.require(request.caller(), Access.Action.LOOK_UP, entry.name().d());
    Entry.Content content = entry.content();
    if (content.expires() <= clock.millis()
        || !Lookups.isOnLink(content, LocalLink.of(request.caller()))) {
      return missingResponse();
    }
    return Lookups.response(request, content.parseLinks())
        .observable(ObservedLookups.ofRegistration(entry.id()));
  }

  private static Response missingResponse() {
    return Lookups.missing().response();
  }

  private static Entry missing() {
    throw Lookups.missing();
  }

  private static ExchangeException notAllowed() {
    return new ExchangeException(Code.METHOD_NOT_ALLOWED, "not a method of this resource");
  }
}
