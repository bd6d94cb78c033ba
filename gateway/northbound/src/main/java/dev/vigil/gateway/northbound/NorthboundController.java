package dev.vigil.gateway.northbound;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.gateway.callers.HttpCallers;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The state of the destinations. */
@RestController
class NorthboundController {
  private final Northbound northbound;
  private final Access access;

  NorthboundController(Northbound northbound, Access access) {
    this.northbound = northbound;
    this.access = access;
  }

  /**
   * @param name kind and name in the settings
   * @param waiting readings that the destination has not acknowledged
   * @param lagSeconds age of the oldest unacknowledged change
   * @param delivered changes that the destination acknowledged since the start
   * @param lost readings that retention removed before they could be delivered
   * @param error the last error; absent after a success
   * @param testable whether a test can be sent
   */
  record DestinationJson(
      String name,
      long waiting,
      double lagSeconds,
      long delivered,
      long lost,
      @Nullable String error,
      @Nullable Instant failedAt,
      @Nullable Instant succeededAt,
      boolean testable) {

    static DestinationJson of(DeliveryLoop loop) {
      DeliveryLoop.State state = loop.state();
      StoredCursor cursor = loop.cursor();
      return new DestinationJson(
          loop.name(),
          cursor.waiting(),
          loop.lagSeconds(),
          loop.delivered(),
          cursor.lost(),
          state.error(),
          state.failedAt(),
          state.succeededAt(),
          loop.isTestable());
    }
  }

  record DestinationsJson(List<DestinationJson> destinations) {}

  @Operation(
      operationId = "listDestinations",
      summary = "The systems that receive the gateway's data, their lag and their errors")
  @GetMapping("/api/northbound")
  DestinationsJson destinations(HttpServletRequest request) {
    access.require(HttpCallers.of(request), Action.OPERATE, Access.EVERY_DOMAIN);
    return new DestinationsJson(northbound.all().stream().map(DestinationJson::of).toList());
  }
}
