package dev.vigil.mirror;

import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Resource;
import dev.vigil.coap.exchange.Response;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RefusalMapper;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.mirror.registration.RegistrationService;
import java.util.concurrent.CompletableFuture;

/** {@code POST /ms}. */
final class RegistrationResource implements Resource {
  private final RegistrationService registrations;
  private final RefusalMapper refusalMapper;

  RegistrationResource(RegistrationService registrations, RefusalMapper refusalMapper) {
    this.registrations = registrations;
    this.refusalMapper = refusalMapper;
  }

  @Override
  public CompletableFuture<Response> answer(Request request) {
    return refusalMapper.answer("", () -> register(request));
  }

  private CompletableFuture<Response> register(Request request) {
    if (request.method() != Method.POST) {
      throw new RequestRefused(Reason.NOT_ALLOWED, "POST");
    }
    return registrations.register(request);
  }
}
