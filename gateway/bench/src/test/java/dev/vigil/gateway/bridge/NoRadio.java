package dev.vigil.gateway.bridge;

import dev.vigil.gateway.cluster.ClusterProperties;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.store.CompanionFiles;
import dev.vigil.mirror.confidential.SecretSealer;
import java.security.SecureRandom;
import java.time.Clock;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** The bridge of a gateway whose settings name no radio. */
public final class NoRadio {
  private NoRadio() {}

  public static MeshAddresses addresses(
      Records records,
      SecretSealer sealer,
      CompanionFiles companions,
      Clock clock,
      SecureRandom random) {
    BorderProperties defaults =
        new Binder(new MapConfigurationPropertySource())
            .bindOrCreate("border", BorderProperties.class);
    NetworkSettings settings =
        new NetworkSettings(defaults, records, sealer, ClusterProperties.NONE);
    return new MeshAddresses(
        new BridgeLifecycle(settings, companions, clock, System::nanoTime, random));
  }
}
