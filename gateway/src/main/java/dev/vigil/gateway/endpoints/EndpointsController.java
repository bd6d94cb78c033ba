package dev.vigil.gateway.endpoints;

import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Access.Action;
import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.gateway.access.Visible;
import dev.vigil.gateway.config.DomainProperties;
import dev.vigil.gateway.http.Cursor;
import dev.vigil.gateway.http.HttpCallers;
import dev.vigil.mirror.EndpointPlace;
import dev.vigil.mirror.EndpointView;
import dev.vigil.mirror.MirrorProxy;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Reads endpoints; each caller sees those of the domains that it may look up. */
@RestController
class EndpointsController {
  private static final int MOST = 1000;
  private static final int CURSOR_PARTS = 3;

  private final MirrorProxy mirror;
  private final Access access;

  EndpointsController(MirrorProxy mirror, Access access) {
    this.mirror = mirror;
    this.access = access;
  }

  /**
   * @param next what to give as {@code after} for the rest; absent at the end
   */
  record EndpointsJson(List<EndpointJson> endpoints, @Nullable String next) {}

  @Operation(
      summary = "Endpoints, or those of a name or a domain, in the order of domains and names",
      description = "d=- is the domain without a name. limit is 1 to 1000.")
  @GetMapping("/api/endpoints")
  EndpointsJson endpoints(
      HttpServletRequest request,
      @RequestParam @Nullable String ep,
      @RequestParam @Nullable String d,
      @RequestParam @Nullable String after,
      @RequestParam(defaultValue = "1000") int limit) {
    String named = d == null ? null : DomainProperties.named(d);
    Visible visible = Visible.of(access, HttpCallers.of(request), mirror.domains().keySet(), named);
    int most = Cursor.limit(limit, MOST);
    List<EndpointView> found =
        mirror.endpoints(
            place ->
                (ep == null || ep.equals(place.ep()))
                    && (named == null || named.equals(place.d()))
                    && visible.test(place.d()),
            after == null ? null : place(after),
            most + 1);
    List<EndpointView> page = found.subList(0, Math.min(most, found.size()));
    return new EndpointsJson(
        page.stream().map(view -> EndpointJson.of(view, mirror)).toList(),
        found.size() > most ? cursor(page.getLast()) : null);
  }

  private static EndpointPlace place(String cursor) {
    List<String> parts = Cursor.read(cursor, CURSOR_PARTS);
    return new EndpointPlace(parts.get(0), parts.get(1), parts.get(2));
  }

  private static String cursor(EndpointView view) {
    return Cursor.of(view.d(), view.ep(), view.id());
  }

  @Operation(summary = "One endpoint, by the id of /ms/{id}")
  @GetMapping("/api/endpoints/{id}")
  EndpointJson endpoint(HttpServletRequest request, @PathVariable String id) {
    Caller caller = HttpCallers.of(request);
    EndpointView view = mirror.endpoint(id).orElse(null);
    if (view == null) {
      Visible.of(access, caller, mirror.domains().keySet(), null);
      throw new ExchangeException(Code.NOT_FOUND, "no endpoint has this id");
    }
    access.require(caller, Action.LOOK_UP, view.d());
    return EndpointJson.of(view, mirror);
  }
}
