package dev.vigil.gateway.network;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.EntityTags;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.bridge.NetworkSettings;
import dev.vigil.gateway.bridge.NetworkSettingsRecord;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.Versioned;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Lets administrators store radios, filter rules and the link key of the network. */
@RestController
class NetworkSettingsController {
  private final NetworkSettings settings;
  private final Access access;

  NetworkSettingsController(NetworkSettings settings, Access access) {
    this.settings = settings;
    this.access = access;
  }

  /**
   * @param fileMembers radios, filter or linkSecurity, where the settings file names them: their
   *     stored values have no effect
   * @param stored absent when nothing is stored
   * @param restartNeeded whether the stored settings take effect only when the gateway is restarted
   * @param problem why the stored settings with which the gateway started are not used; it runs
   *     without radio then
   */
  @Schema(name = "NetworkSettings")
  record SettingsJson(
      @ArraySchema(schema = @Schema(allowableValues = {"radios", "filter", "linkSecurity"}))
          List<String> fileMembers,
      @Nullable StoredJson stored,
      boolean restartNeeded,
      @Nullable String problem) {}

  /** Absent members have their defaults. */
  @Schema(name = "StoredNetworkSettings")
  record StoredJson(
      @Nullable List<RadioBodyJson> radios,
      @Nullable List<String> filter,
      @Nullable StoredLinkSecurityJson linkSecurity) {
    static StoredJson of(NetworkSettingsRecord stored) {
      NetworkSettingsRecord.LinkSecurityRecord security = stored.linkSecurity();
      return new StoredJson(
          stored.radios() == null ? null : stored.radios().stream().map(RadioBodyJson::of).toList(),
          stored.filter(),
          security == null
              ? null
              : new StoredLinkSecurityJson(security.level(), security.keyIndex()));
    }
  }

  /** The link key itself is never shown. */
  @Schema(name = "StoredLinkSecurity")
  record StoredLinkSecurityJson(int level, int keyIndex) {}

  @Operation(
      operationId = "getNetworkSettings",
      summary =
          "Stored radios, filter rules and link security, and the members that the"
              + " settings file names",
      description =
          "For administrators. listSettings lists the settings in force and their sources. The"
              + " link key is never shown. The ETag is for If-Match.")
  @GetMapping("/api/network/settings")
  ResponseEntity<SettingsJson> settings(HttpServletRequest request) {
    requireAdministrator(request);
    return answer();
  }

  private ResponseEntity<SettingsJson> answer() {
    Optional<Versioned<NetworkSettingsRecord>> stored = settings.stored();
    return ResponseEntity.ok()
        .eTag(EntityTags.of(settings.version()))
        .body(
            new SettingsJson(
                settings.fileMembers(),
                stored.map(one -> StoredJson.of(one.value())).orElse(null),
                settings.isRestartNeeded(),
                settings.problem()));
  }

  private Caller requireAdministrator(HttpServletRequest request) {
    Caller caller = HttpCallers.of(request);
    access.require(caller, Action.ADMINISTER, Access.EVERY_DOMAIN);
    return caller;
  }

  @Operation(
      operationId = "putNetworkSettings",
      summary = "Stores radios, filter rules and the link key; the next start uses them",
      description =
          "The body replaces the stored settings; absent members have their defaults. Members"
              + " that the settings file names keep the value of the file. The link key is"
              + " stored sealed and never read back; linkSecurity without key keeps the stored"
              + " one. If the stored settings cannot be used at the next start, the gateway runs"
              + " without radio and problem says why.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = NetworkSettingsBodyJson.class))))
  @PutMapping(path = "/api/network/settings", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<SettingsJson> put(
      HttpServletRequest request,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
      @RequestHeader(name = "If-None-Match", required = false) @Nullable String ifNoneMatch)
      throws IOException {
    Caller caller = requireAdministrator(request);
    OptionalLong version = EntityTags.condition(settings.version(), ifMatch, ifNoneMatch);
    requireVersion(version);
    NetworkSettingsRecord wanted =
        JsonBodies.read(request, NetworkSettingsBodyJson.class)
            .settings(settings::seal, settings.stored().map(Versioned::value).orElse(null));
    try {
      settings.require(wanted);
    } catch (IllegalArgumentException e) {
      throw new ProblemException(ProblemType.INVALID_BODY, String.valueOf(e.getMessage()));
    }
    FutureResults.of(settings.put(wanted, version, caller.label())).require("network setting");
    return answer();
  }

  /** Refuses an old version first: its body may build on a link key that was removed since. */
  private void requireVersion(OptionalLong wanted) {
    long present = settings.version();
    if (wanted.isPresent() && wanted.getAsLong() != present) {
      new Outcome.Conflict(present).require("network setting");
    }
  }

  @Operation(
      operationId = "removeNetworkSettings",
      summary =
          "Removes the stored radios, filter rules and link key; the next start does not"
              + " use them",
      description = "404 if nothing is stored.")
  @DeleteMapping("/api/network/settings")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void remove(
      HttpServletRequest request,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    Caller caller = requireAdministrator(request);
    if (settings.stored().isEmpty()) {
      throw new ProblemException(
          ProblemType.NOT_FOUND, "nothing is stored about the radio network");
    }
    FutureResults.of(settings.remove(EntityTags.ifMatch(ifMatch), caller.label()))
        .require("network setting");
  }
}
