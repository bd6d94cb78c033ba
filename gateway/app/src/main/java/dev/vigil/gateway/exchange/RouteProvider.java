package dev.vigil.gateway.exchange;

import dev.vigil.coap.exchange.Route;
import java.util.List;

/** The routes of one feature. */
public record RouteProvider(List<Route> routes) {
  public RouteProvider {
    routes = List.copyOf(routes);
  }
}
