package dev.vigil.gateway.metrics;

import dev.vigil.gateway.tls.ServerCertificate;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.info.BuildProperties;
import org.springframework.stereotype.Component;

/** The build, and the certificate of HTTPS. */
@Component
class ProcessMetrics implements MeterBinder {
  private static final String UNKNOWN = "unknown";

  private final ServerCertificate certificate;
  private final Tags build;

  ProcessMetrics(ServerCertificate certificate, ObjectProvider<BuildProperties> build) {
    this.certificate = certificate;
    this.build =
        build.stream()
            .findFirst()
            .map(one -> tags(one.getVersion(), one.get("number")))
            .orElseGet(() -> tags(null, null));
  }

  private static Tags tags(@Nullable String version, @Nullable String number) {
    return Tags.of(
        "version",
        version == null ? UNKNOWN : version,
        "number",
        number == null ? UNKNOWN : number);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder("vigil.build", () -> 1)
        .tags(build)
        .description("1; the tags name the build")
        .register(registry);
    Gauge.builder("vigil.certificate.expires", certificate, ProcessMetrics::expires)
        .tags("protocol", "https")
        .baseUnit("seconds")
        .description("end of the certificate's validity, seconds since 1970; NaN without one")
        .register(registry);
  }

  private static double expires(ServerCertificate certificate) {
    return certificate
        .expires()
        .map(Instant::getEpochSecond)
        .map(Long::doubleValue)
        .orElse(Double.NaN);
  }
}
