package dev.vigil.gateway.domains;

import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.access.DomainAccess;
import dev.vigil.gateway.access.VisibleDomains;
import dev.vigil.gateway.config.DomainProperties;
import dev.vigil.gateway.http.HttpCallers;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.Domain;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Comparator;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Shows operators the domains of the configuration. */
@RestController
class DomainsController {
  private final MirrorQueries mirror;
  private final DomainAccess access;

  DomainsController(MirrorQueries mirror, DomainAccess access) {
    this.mirror = mirror;
    this.access = access;
  }

  record DomainsJson(List<DomainJson> domains) {}

  @Operation(
      operationId = "listDomains",
      summary = "The administrative domains: their policies and limits")
  @GetMapping("/api/domains")
  DomainsJson domains(HttpServletRequest request) {
    VisibleDomains operated =
        VisibleDomains.of(
            access, HttpCallers.of(request), Action.OPERATE, mirror.domains().keySet(), null);
    return new DomainsJson(
        mirror.domains().values().stream()
            .filter(d -> operated.test(d.name()))
            .sorted(Comparator.comparing(Domain::name))
            .map(d -> DomainJson.of(d, access.policy(d.name()), null))
            .toList());
  }

  @Operation(
      operationId = "getDomain",
      summary = "One domain and how much of its limits is used; - is the unnamed one")
  @GetMapping("/api/domains/{name}")
  DomainJson domain(HttpServletRequest request, @PathVariable String name) {
    String d = DomainProperties.named(name);
    access.require(HttpCallers.of(request), Action.OPERATE, d);
    Domain domain = mirror.domains().get(d);
    if (domain == null) {
      throw new ErrorResponseException(Code.NOT_FOUND, "there is no such domain");
    }
    return DomainJson.of(domain, access.policy(d), mirror.usage(d));
  }
}
