package dev.vigil.gateway.domains;

import dev.vigil.directory.exchange.Access.Action;
import dev.vigil.directory.exchange.Access.Allowed;
import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.gateway.access.DomainAccess;
import dev.vigil.gateway.config.DomainProperties;
import dev.vigil.gateway.http.HttpCallers;
import dev.vigil.mirror.Domain;
import dev.vigil.mirror.MirrorProxy;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Comparator;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Shows operators what holds in their domains; it is set in the configuration. */
@RestController
class DomainsController {
  private final MirrorProxy mirror;
  private final DomainAccess access;

  DomainsController(MirrorProxy mirror, DomainAccess access) {
    this.mirror = mirror;
    this.access = access;
  }

  record DomainsJson(List<DomainJson> domains) {}

  @Operation(summary = "The administrative domains: policies and limits as they are set")
  @GetMapping("/api/domains")
  DomainsJson domains(HttpServletRequest request) {
    Caller caller = HttpCallers.of(request);
    access.require(caller, Action.ADMINISTER, "");
    return new DomainsJson(
        mirror.domains().values().stream()
            .filter(d -> access.decide(caller, Action.ADMINISTER, d.name()) instanceof Allowed)
            .sorted(Comparator.comparing(Domain::name))
            .map(d -> DomainJson.of(d, access.policy(d.name()), null))
            .toList());
  }

  @Operation(summary = "One domain, and how full it is; - is the one without a name")
  @GetMapping("/api/domains/{name}")
  DomainJson domain(HttpServletRequest request, @PathVariable String name) {
    String d = DomainProperties.named(name);
    access.require(HttpCallers.of(request), Action.ADMINISTER, d);
    Domain domain = mirror.domains().get(d);
    if (domain == null) {
      throw new ExchangeException(Code.NOT_FOUND, "there is no such domain");
    }
    return DomainJson.of(domain, access.policy(d), mirror.use(d));
  }
}
