package dev.vigil.gateway.directory;

import dev.vigil.directory.Directory;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.stereotype.Component;

/** Figures of the resource directory. */
@Component
class DirectoryMetrics implements MeterBinder {
  private final Directory directory;

  DirectoryMetrics(Directory directory) {
    this.directory = directory;
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
        .description("registrations of strangers that gave way because the directory was full")
        .register(registry);
  }
}
