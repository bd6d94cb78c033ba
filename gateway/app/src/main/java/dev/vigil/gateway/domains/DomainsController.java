package dev.vigil.gateway.domains;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.access.DomainAccess;
import dev.vigil.gateway.api.DomainNames;
import dev.vigil.gateway.api.EntityTags;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.api.VisibleDomains;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.read.DomainUsage;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Shows operators the domains, and lets administrators edit them. */
@RestController
class DomainsController {
  private final MirrorQueries mirror;
  private final DomainSettings settings;
  private final DomainAccess access;

  DomainsController(MirrorQueries mirror, DomainSettings settings, DomainAccess access) {
    this.mirror = mirror;
    this.settings = settings;
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
            .map(d -> json(d, null))
            .toList());
  }

  @Operation(
      operationId = "getDomain",
      summary = "One domain and how much of its limits is used; - is the unnamed one",
      description = "Its ETag is that of the stored settings, for If-Match.")
  @GetMapping("/api/domains/{name}")
  ResponseEntity<DomainJson> domain(HttpServletRequest request, @PathVariable String name) {
    String d = DomainNames.named(name);
    access.require(HttpCallers.of(request), Action.OPERATE, d);
    return answer(d);
  }

  private ResponseEntity<DomainJson> answer(String d) {
    Domain domain = settings.inForce().get(d);
    if (domain == null) {
      throw unknown();
    }
    return ResponseEntity.ok().eTag(EntityTags.of(version(d))).body(json(domain, mirror.usage(d)));
  }

  /** The version of the stored settings; 0: none are stored. */
  private long version(String d) {
    return settings.stored(d).map(Versioned::version).orElse(0L);
  }

  private DomainJson json(Domain domain, @Nullable DomainUsage use) {
    String d = domain.name();
    return DomainJson.of(
        domain,
        access.policy(d),
        settings.file(d),
        settings.stored(d).map(Versioned::value).orElse(null),
        use);
  }

  private static ProblemException unknown() {
    return new ProblemException(ProblemType.NOT_FOUND, "there is no such domain");
  }

  @Operation(
      operationId = "putDomain",
      summary = "Stores settings of a domain, or creates a domain; takes effect at once",
      description =
          "The body replaces the stored settings; absent members have their defaults. Members"
              + " that the settings file names keep the value of the file. With If-Match the"
              + " settings change only if nobody else has changed them. The first limit of a"
              + " history's age or size removes old values only from the next start on.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = DomainBodyJson.class))))
  @PutMapping(path = "/api/domains/{name}", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<DomainJson> put(
      HttpServletRequest request,
      @PathVariable String name,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
      @RequestHeader(name = "If-None-Match", required = false) @Nullable String ifNoneMatch)
      throws IOException {
    Caller caller = HttpCallers.of(request);
    access.require(caller, Action.ADMINISTER, Access.EVERY_DOMAIN);
    String d = DomainNames.named(name);
    DomainBodyJson body = JsonBodies.read(request, DomainBodyJson.class);
    Long present = settings.inForce().containsKey(d) ? version(d) : null;
    OptionalLong version = EntityTags.condition(present, ifMatch, ifNoneMatch);
    FutureResults.of(settings.put(d, body, version, caller.label())).require("domain");
    return answer(d);
  }

  @Operation(
      operationId = "removeDomain",
      summary = "Removes the stored settings of a domain, and the domain unless the file names it",
      description = "A domain with endpoints or commanders' keys stays: remove them first.")
  @DeleteMapping("/api/domains/{name}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void remove(
      HttpServletRequest request,
      @PathVariable String name,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    Caller caller = HttpCallers.of(request);
    access.require(caller, Action.ADMINISTER, Access.EVERY_DOMAIN);
    String d = DomainNames.named(name);
    if (!settings.inForce().containsKey(d)) {
      throw unknown();
    }
    if (settings.stored(d).isEmpty()) {
      throw new ProblemException(
          ProblemType.IN_SETTINGS_FILE,
          "nothing is stored about the domain; it is in the settings file ("
              + DomainNames.property(d)
              + ")");
    }
    if (settings.file(d) == null) {
      requireEmpty(d);
    }
    FutureResults.of(settings.remove(d, EntityTags.ifMatch(ifMatch), caller.label()))
        .require("domain");
  }

  /** A domain that is created later under the same name is a different one. */
  private void requireEmpty(String d) {
    long endpoints = mirror.usage(d).endpoints();
    if (endpoints > 0) {
      throw new ProblemException(
          ProblemType.STILL_USED,
          "the domain has " + endpoints + " endpoint names: forget them first");
    }
    int commanders = settings.commanders(d).size();
    if (commanders > 0) {
      throw new ProblemException(
          ProblemType.STILL_USED,
          "the domain has " + commanders + " commanders' keys: remove them first");
    }
  }
}
