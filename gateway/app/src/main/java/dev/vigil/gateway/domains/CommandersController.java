package dev.vigil.gateway.domains;

import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.access.DomainAccess;
import dev.vigil.gateway.api.DomainNames;
import dev.vigil.gateway.api.EntityTags;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.trust.JwkCodec;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.store.NameGrammar;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

/** Lets administrators enrol the keys that may sign commands in a domain. */
@RestController
class CommandersController {
  private static final int MAX_NAME = 100;

  private final DomainSettings settings;
  private final DomainAccess access;

  CommandersController(DomainSettings settings, DomainAccess access) {
    this.settings = settings;
    this.access = access;
  }

  /**
   * A key that may sign commands.
   *
   * @param thumbprint RFC 7638, SHA-256, base64url; the kid of commands
   * @param source file: of the settings file; store: enrolled by an administrator
   * @param name for people
   * @param by the administrator who enrolled it
   */
  record CommanderJson(
      String thumbprint,
      @JsonRawValue @Schema(implementation = PublicJwk.class) String jwk,
      @Schema(allowableValues = {"file", "store"}) String source,
      @Nullable String name,
      @Nullable String by,
      @Nullable Instant at) {
    static CommanderJson of(Versioned<CommanderRecord> one) {
      CommanderRecord key = one.value();
      return new CommanderJson(key.jkt(), key.jwk(), "store", key.name(), key.by(), one.at());
    }
  }

  /**
   * A public key (RFC 7517).
   *
   * @param y absent for Ed25519
   */
  record PublicJwk(String kty, String crv, String x, @Nullable String y) {}

  record CommandersJson(List<CommanderJson> commanders) {}

  /**
   * @param jwk a public key of P-256, P-384 or Ed25519
   * @param name for people, for instance whose browser has the key
   */
  record CommanderBodyJson(
      @Schema(implementation = PublicJwk.class, requiredMode = Schema.RequiredMode.REQUIRED)
          @Nullable Map<String, Object> jwk,
      @Nullable String name) {}

  @Operation(
      operationId = "listCommanders",
      summary = "The keys that may sign commands in a domain; - is the unnamed one")
  @GetMapping("/api/domains/{name}/commanders")
  CommandersJson commanders(HttpServletRequest request, @PathVariable String name) {
    String d = require(request, name, Action.OPERATE);
    List<CommanderJson> all = new ArrayList<>();
    Domain domain = settings.inForce().get(d);
    DomainProperties file = settings.file(d);
    if (domain != null && file != null) {
      for (String text : file.commanders()) {
        Jwk key = JwkCodec.read(text);
        String jkt = JwkCodec.thumbprint(key);
        all.add(new CommanderJson(jkt, JwkCodec.write(key), "file", null, null, null));
      }
    }
    settings.commanders(d).forEach(one -> all.add(CommanderJson.of(one)));
    return new CommandersJson(all);
  }

  @Operation(
      operationId = "enrolCommander",
      summary = "Lets a key sign commands in a domain; takes effect at once",
      description =
          "Motes check commands too: they need the key as well. With If-Match the name changes"
              + " only if nobody else has changed it. The key is stored in addition to the keys"
              + " of the settings file.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = CommanderBodyJson.class))))
  @PutMapping(
      path = "/api/domains/{name}/commanders/{thumbprint}",
      consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<CommanderJson> enrol(
      HttpServletRequest request,
      @PathVariable String name,
      @PathVariable String thumbprint,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
      @RequestHeader(name = "If-None-Match", required = false) @Nullable String ifNoneMatch)
      throws IOException {
    String d = require(request, name, Action.ADMINISTER);
    CommanderBodyJson body = JsonBodies.read(request, CommanderBodyJson.class);
    Jwk key = read(JsonBodies.required(body.jwk(), "jwk"));
    if (!JwkCodec.thumbprint(key).equals(thumbprint)) {
      throw new ProblemException(
          ProblemType.INVALID_BODY,
          "jwk: has another thumbprint than the path: " + JwkCodec.thumbprint(key));
    }
    // The domain may have been removed while the body was arriving.
    require(request, name, Action.ADMINISTER);
    Caller caller = HttpCallers.of(request);
    CommanderRecord record =
        new CommanderRecord(d, thumbprint, JwkCodec.write(key), text(body.name()), caller.label());
    Long present = settings.commander(d, thumbprint).map(Versioned::version).orElse(null);
    OptionalLong version = EntityTags.condition(present, ifMatch, ifNoneMatch);
    FutureResults.of(settings.putCommander(record, version)).require("commander's key");
    Versioned<CommanderRecord> stored =
        settings.commander(d, thumbprint).orElseThrow(CommandersController::unknown);
    return ResponseEntity.ok().eTag(EntityTags.of(stored.version())).body(CommanderJson.of(stored));
  }

  @Operation(
      operationId = "removeCommander",
      summary = "Withdraws the right of a stored key to sign commands in a domain",
      description = "Commands that it has signed stay queued.")
  @DeleteMapping("/api/domains/{name}/commanders/{thumbprint}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void remove(
      HttpServletRequest request,
      @PathVariable String name,
      @PathVariable String thumbprint,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    String d = require(request, name, Action.ADMINISTER);
    if (settings.commander(d, thumbprint).isEmpty()) {
      if (settings.fileCommanders(d).contains(thumbprint)) {
        throw new ProblemException(
            ProblemType.IN_SETTINGS_FILE,
            "the key is in the settings file ("
                + DomainNames.property(d)
                + ".commanders): remove it there");
      }
      throw unknown();
    }
    String by = HttpCallers.of(request).label();
    FutureResults.of(settings.removeCommander(d, thumbprint, EntityTags.ifMatch(ifMatch), by))
        .require("commander's key");
  }

  private String require(HttpServletRequest request, String name, Action action) {
    String d = DomainNames.named(name);
    access.require(HttpCallers.of(request), action, d);
    if (!settings.inForce().containsKey(d)) {
      throw new ProblemException(ProblemType.NOT_FOUND, "there is no such domain");
    }
    return d;
  }

  private static Jwk read(Map<String, Object> members) {
    try {
      return JwkCodec.read(members);
    } catch (SignedObjectException e) {
      throw new ProblemException(ProblemType.INVALID_BODY, "jwk: " + e.line());
    }
  }

  private static @Nullable String text(@Nullable String given) {
    if (given == null || given.isBlank()) {
      return null;
    }
    if (given.length() > MAX_NAME || NameGrammar.invisible(given).isPresent()) {
      throw new ProblemException(
          ProblemType.INVALID_BODY,
          "name: takes up to " + MAX_NAME + " characters that can be seen");
    }
    return given.strip();
  }

  private static ProblemException unknown() {
    return new ProblemException(ProblemType.NOT_FOUND, "there is no such commander's key");
  }
}
