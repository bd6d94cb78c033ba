package dev.vigil.gateway.dashboards.links;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.accounts.AccountRights;
import dev.vigil.gateway.accounts.OwnerGrants;
import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.dashboards.Dashboard;
import dev.vigil.gateway.dashboards.DashboardRights;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.store.NameGrammar;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Lets the operators of a dashboard make, list and revoke its links. */
@RestController
class LinksController {
  private static final String ALL = "/api/dashboards/{id}/links";
  private static final int MAX_DAYS = 3660;
  private static final int MAX_NAME = 63;

  private final DashboardLinks links;
  private final DashboardRights rights;
  private final OwnerGrants owners;
  private final Clock clock;

  LinksController(DashboardLinks links, DashboardRights rights, OwnerGrants owners, Clock clock) {
    this.links = links;
    this.rights = rights;
    this.owners = owners;
    this.clock = clock;
  }

  @Schema(name = "DashboardLinks")
  record LinksJson(List<LinkJson> links) {}

  /**
   * @param maker the account that made it; the link shows what this account may see
   * @param expiresAt absent: it does not expire
   * @param usedAt last use; absent before the first
   * @param token shown only in the response that creates the link
   */
  @Schema(name = "DashboardLink")
  record LinkJson(
      String id,
      String name,
      String maker,
      Instant createdAt,
      @Nullable Instant expiresAt,
      boolean expired,
      @Nullable Instant usedAt,
      @Nullable String token) {}

  /**
   * @param name purpose of the link, such as the place of a screen; at most 63 characters
   * @param days of validity, 1 to 3660; absent: it does not expire
   */
  @Schema(name = "NewDashboardLink")
  record NewLinkJson(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String name,
      @Schema(minimum = "1", maximum = "3660") @Nullable Integer days) {}

  private LinkJson json(Versioned<LinkRecord> link, @Nullable String token) {
    LinkRecord value = link.value();
    return new LinkJson(
        link.id(),
        value.name(),
        value.maker(),
        value.createdAt(),
        value.expiresAt(),
        links.isExpired(value),
        links.usedAt(link),
        token);
  }

  @Operation(
      operationId = "listDashboardLinks",
      summary = "The links of a dashboard, for its operators")
  @GetMapping(ALL)
  LinksJson all(HttpServletRequest request, @PathVariable String id) {
    Versioned<Dashboard> dashboard = rights.operated(HttpCallers.of(request), id);
    return new LinksJson(links.of(dashboard).stream().map(link -> json(link, null)).toList());
  }

  @Operation(
      operationId = "createDashboardLink",
      summary = "Creates a link that shows a dashboard without an account; its token is shown once",
      description =
          "Whoever has the token may read this dashboard, the contents of its tiles and their"
              + " events, and nothing else. It shows what the account that made it may see at the"
              + " time. Send the token as Authorization: Bearer TOKEN, or open"
              + " wallboard.html#TOKEN. API tokens cannot create links; the operator's token can.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = NewLinkJson.class))))
  @PostMapping(path = ALL, consumes = MediaType.APPLICATION_JSON_VALUE)
  @ResponseStatus(HttpStatus.CREATED)
  LinkJson make(HttpServletRequest request, @PathVariable String id) throws IOException {
    Caller caller = HttpCallers.of(request);
    rights.operated(caller, id);
    String maker = AccountRights.requireTokenOwner(caller, "links");
    NewLinkJson body = JsonBodies.read(request, NewLinkJson.class);
    // Another domain may have the dashboard since, or another dashboard of the id.
    Versioned<Dashboard> dashboard = rights.operated(caller, id);
    String name = name(JsonBodies.required(body.name(), "name"));
    Integer days = body.days();
    if (days != null && (days < 1 || days > MAX_DAYS)) {
      throw new ProblemException(ProblemType.INVALID_BODY, "days: takes 1 to " + MAX_DAYS);
    }
    DashboardLinks.Made made =
        links.make(
            dashboard,
            name,
            maker,
            owners.made(maker),
            days == null ? null : clock.instant().plus(Duration.ofDays(days)),
            audit(caller, "made", name, dashboard));
    return json(made.link(), made.token());
  }

  private static String name(String given) {
    String name = given.strip();
    if (name.isEmpty() || name.length() > MAX_NAME || NameGrammar.invisible(name).isPresent()) {
      throw new ProblemException(
          ProblemType.INVALID_BODY, "name: takes 1 to " + MAX_NAME + " characters that are shown");
    }
    return name;
  }

  @Operation(operationId = "removeDashboardLink", summary = "Revokes a link")
  @DeleteMapping(ALL + "/{link}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void revoke(HttpServletRequest request, @PathVariable String id, @PathVariable String link) {
    Caller caller = HttpCallers.of(request);
    Versioned<Dashboard> dashboard = rights.operated(caller, id);
    Versioned<LinkRecord> revoked =
        links
            .get(link, dashboard)
            .orElseThrow(
                () ->
                    new ProblemException(
                        ProblemType.NOT_FOUND, "the dashboard has no link of this id"));
    links.revoke(revoked, audit(caller, "revoked", revoked.value().name(), dashboard));
  }

  private static Audit audit(
      Caller caller, String verb, String name, Versioned<Dashboard> dashboard) {
    String d = dashboard.value().d();
    return new Audit(
        caller.label(),
        "%s link %s of dashboard %s".formatted(verb, name, dashboard.id()),
        d == null ? "" : d);
  }
}
