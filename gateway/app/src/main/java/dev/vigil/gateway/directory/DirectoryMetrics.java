package dev.vigil.gateway.directory;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Route;
import dev.vigil.directory.Directory;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Arrays;
import java.util.List;
import org.springframework.stereotype.Component;

/** Metrics of the resource directory. */
@Component
class DirectoryMetrics implements MeterBinder {
  private static final List<Code> ERRORS =
      Arrays.stream(Code.values()).filter(code -> !code.isSuccess()).toList();

  private final Directory directory;
  private final RequestDispatcher dispatcher;
  private final List<String> routes;

  DirectoryMetrics(Directory directory, RequestDispatcher dispatcher) {
    this.directory = directory;
    this.dispatcher = dispatcher;
    this.routes = directory.routes().stream().map(Route::path).toList();
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder("vigil.directory.endpoints", directory, Directory::size)
        .description("registered endpoints")
        .register(registry);
    Gauge.builder("vigil.directory.degraded", directory, each -> each.isDegraded() ? 1 : 0)
        .description("1 while the store holds more registrations than fit into memory")
        .register(registry);
    FunctionCounter.builder("vigil.directory.evicted", directory, Directory::evicted)
        .description("registrations of strangers that were removed because the directory was full")
        .register(registry);
    for (Code code : ERRORS) {
      FunctionCounter.builder("vigil.directory.rejected", this, each -> each.responses(code))
          .tags("code", code.dotted())
          .description("refused lookups and registrations, by CoAP response code")
          .register(registry);
    }
  }

  private double responses(Code code) {
    return routes.stream().mapToLong(route -> dispatcher.responses(route, code)).sum();
  }
}
