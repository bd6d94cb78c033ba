package dev.vigil.gateway.endpoints;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.coap.link.OwnAuthorities;
import dev.vigil.gateway.domains.DomainSettings;
import dev.vigil.gateway.exchange.RouteProvider;
import dev.vigil.gateway.store.DataFolder;
import dev.vigil.gateway.tracing.Tracing;
import dev.vigil.mirror.MirrorConfig;
import dev.vigil.mirror.MirrorOperations;
import dev.vigil.mirror.MirrorProxy;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.MirrorRecovery;
import dev.vigil.mirror.limits.WaitingCapacity;
import dev.vigil.signed.batch.BatchVerifier;
import dev.vigil.signed.jose.LocalKeyPair;
import dev.vigil.signed.jose.SignatureVerifier;
import dev.vigil.store.Store;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class MirrorConfiguration {
  private static final Logger log = LoggerFactory.getLogger(MirrorConfiguration.class);

  /** The store is a parameter because it sets where native libraries are unpacked. */
  @Bean
  BatchVerifier signatures(Store store) {
    SignatureVerifier provider = new SignatureVerifier(SignatureVerifier.Choice.AUTO);
    BatchVerifier signatures =
        BatchVerifier.open(provider, MirrorConfiguration::reportDisagreement);
    log.info("signatures: {}; {}", provider.description(), signatures.description());
    return signatures;
  }

  private static void reportDisagreement() {
    log.error(
        "the batch verifier and the provider judged a signature differently: from now on the"
            + " provider verifies every signature; report the processor and the build");
  }

  @Bean
  MirrorProxy mirror(
      Store store,
      BatchVerifier signatures,
      LocalKeyPair identityKey,
      DataFolder folder,
      Topics topics,
      Access access,
      DomainSettings domains,
      Clock clock,
      SecureRandom random,
      OwnAuthorities own,
      LongSupplier nanoTime,
      Tracing tracing) {
    int waitingPlaces =
        WaitingCapacity.places(
            Runtime.getRuntime().maxMemory(), folder.path().toFile().getUsableSpace());
    MirrorConfig config =
        MirrorConfig.of(domains.inForce(), identityKey, own).withWaitingPlaces(waitingPlaces);
    log.info("places of keys that wait for approval: {}", waitingPlaces);
    MirrorProxy mirror =
        new MirrorProxy(
            new MirrorProxy.Dependencies(
                store, topics, access, clock, random, signatures, nanoTime, tracing.requests()),
            config);
    log.info("identity key of the mirror: {}", mirror.identity());
    return mirror;
  }

  @Bean
  MirrorQueries mirrorQueries(MirrorProxy mirror) {
    return mirror.queries();
  }

  @Bean
  MirrorOperations mirrorOperations(MirrorProxy mirror) {
    return mirror.operations();
  }

  @Bean
  MirrorRecovery mirrorRecovery(MirrorProxy mirror) {
    return mirror.recovery();
  }

  @Bean
  RouteProvider mirrorRoutes(MirrorProxy mirror) {
    return new RouteProvider(mirror.routes());
  }
}
