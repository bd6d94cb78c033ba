package dev.vigil.directory.registration;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.LinkFetcher;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Resource;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.link.LinkFormat;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * {@code /.well-known/rd}: registers the links that the sender itself serves (RFC 9176 section
 * 5.1). The sender's address must be verified, because a forged address would make the directory
 * query and register another host.
 */
public final class SimpleRegistration implements Resource {
  private final DirectoryRegistrationService registrations;
  private final Optional<LinkFetches> fetches;
  private final LinkFormat.Limits limits;

  public SimpleRegistration(
      DirectoryRegistrationService registrations,
      Optional<LinkFetcher> fetcher,
      LinkFormat.Limits limits,
      Clock clock) {
    this.registrations = registrations;
    this.fetches = fetcher.map(one -> new LinkFetches(one, clock));
    this.limits = limits;
  }

  @Override
  public CompletableFuture<Response> answer(Request request) {
    if (request.method() != Method.POST) {
      throw new ErrorResponseException(Code.METHOD_NOT_ALLOWED, "only POST is supported");
    }
    if (request.base().startsWith("http")) {
      // An HTTP client has no CoAP server to fetch links from.
      throw new ErrorResponseException(
          Code.NOT_IMPLEMENTED, "over HTTP, register by POST to /rd with a base");
    }
    RegistrationParameters parameters = RegistrationParameters.of(request.query());
    parameters.name();
    if (parameters.base().isPresent() || request.payload().length > 0) {
      throw new ErrorResponseException(
          Code.BAD_REQUEST, "a simple registration must have neither base nor payload");
    }
    Caller caller = request.caller();
    if (!caller.verified()) {
      throw new ErrorResponseException(Code.UNAUTHORIZED, "repeat with Echo");
    }
    registrations.requireMayRegister(caller, parameters);
    return document(request)
        .thenCompose(
            document ->
                registrations.register(
                    request, parameters, RegistrationParameters.links(document, limits), true))
        .thenApply(change -> Response.of(Code.CHANGED));
  }

  private CompletableFuture<byte[]> document(Request request) {
    return fetches
        .orElseThrow(
            () ->
                new ErrorResponseException(Code.NOT_IMPLEMENTED, "register by POST to /rd instead"))
        .document(request);
  }
}
