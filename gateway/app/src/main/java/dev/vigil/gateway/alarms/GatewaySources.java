package dev.vigil.gateway.alarms;

import dev.vigil.border.link.RadioStatus;
import dev.vigil.gateway.alarms.kinds.AutomationStopped;
import dev.vigil.gateway.alarms.kinds.CertificateExpiring;
import dev.vigil.gateway.alarms.kinds.ClusterRepaired;
import dev.vigil.gateway.alarms.kinds.ClusterSnapshotOld;
import dev.vigil.gateway.alarms.kinds.DeliveriesFailing;
import dev.vigil.gateway.alarms.kinds.DiskNearlyFull;
import dev.vigil.gateway.alarms.kinds.GatewaySilent;
import dev.vigil.gateway.alarms.kinds.RadioLost;
import dev.vigil.gateway.alarms.kinds.SignaturesDisagree;
import dev.vigil.gateway.alarms.kinds.StoreFailing;
import dev.vigil.gateway.bridge.BridgeLifecycle;
import dev.vigil.gateway.cluster.StreamStatus;
import dev.vigil.gateway.duties.ClusterGateway;
import dev.vigil.gateway.duties.Duties;
import dev.vigil.gateway.duties.Repairs;
import dev.vigil.gateway.northbound.DeliveryStatus;
import dev.vigil.gateway.openalarms.StoppedAutomations;
import dev.vigil.gateway.store.DataFolder;
import dev.vigil.gateway.store.GatewayStore;
import dev.vigil.gateway.store.StoreHealth;
import dev.vigil.gateway.store.StoreStatistics;
import dev.vigil.gateway.tls.ServerCertificate;
import dev.vigil.signed.batch.BatchVerifier;
import java.io.File;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The sources from which kinds of alarms read the state of this process and its machine. */
@Configuration(proxyBeanMethods = false)
class GatewaySources {
  private static final double SECONDS_PER_DAY = 86_400;

  @Bean
  RadioLost.Source radioStates(BridgeLifecycle network) {
    return () -> {
      Map<String, Boolean> radios = new TreeMap<>();
      network
          .bridge()
          .ifPresent(
              bridge -> {
                for (RadioStatus radio : bridge.radios()) {
                  radios.put(radio.name(), radio.up());
                }
              });
      return radios;
    };
  }

  @Bean
  DeliveriesFailing.Source deliveryStates(DeliveryStatus deliveries) {
    return deliveries::failing;
  }

  @Bean
  StoreFailing.Source storeState(StoreHealth health, StoreStatistics statistics) {
    return new StoreFailing.Source() {
      @Override
      public boolean fails() {
        return health.isFailing();
      }

      @Override
      public int waitingBatches() {
        return statistics.waiting();
      }
    };
  }

  @Bean
  DiskNearlyFull.Source freeSpace(DataFolder data) {
    return () -> {
      File folder = data.path().toFile();
      long total = folder.getTotalSpace();
      return total == 0
          ? OptionalDouble.empty()
          : OptionalDouble.of(100.0 * folder.getUsableSpace() / total);
    };
  }

  @Bean
  SignaturesDisagree.Source signatureStates(BatchVerifier signatures) {
    return signatures::disagreed;
  }

  @Bean
  AutomationStopped.Source stoppedAutomations(StoppedAutomations automations) {
    return automations::stopped;
  }

  @Bean
  ClusterRepaired.Source repairedChanges(Repairs repairs, Clock clock) {
    return () -> {
      Map<String, ClusterRepaired.Repair> recent = new TreeMap<>();
      for (Repairs.RepairRecord one : repairs.since(clock.instant().minus(Duration.ofDays(1)))) {
        if (one.lost() > 0 || one.damaged()) {
          recent.put(one.gateway(), new ClusterRepaired.Repair(one.lost()));
        }
      }
      return recent;
    };
  }

  @Bean
  ClusterSnapshotOld.Source oldSnapshot(StreamStatus stream) {
    return stream::oldSnapshotSeconds;
  }

  /**
   * A gateway without contact hears no other one. This does not show that the others have failed.
   */
  @Bean
  GatewaySilent.Source otherGateways(ObjectProvider<Duties> duties, GatewayStore store) {
    return () -> {
      Map<String, Long> silent = new TreeMap<>();
      if (store.contact().filter(contact -> !contact.isLost()).isPresent()) {
        for (ClusterGateway one : duties.getObject().gateways()) {
          silent.put(one.name(), one.silent().toSeconds());
        }
      }
      return silent;
    };
  }

  @Bean
  CertificateExpiring.Source certificateLifetime(ServerCertificate certificate, Clock clock) {
    return () ->
        certificate
            .expires()
            .map(end -> Duration.between(clock.instant(), end).toSeconds() / SECONDS_PER_DAY)
            .map(OptionalDouble::of)
            .orElseGet(OptionalDouble::empty);
  }
}
