package dev.vigil.gateway.fetch;

import dev.vigil.border.bridge.Bridge;
import dev.vigil.coap.server.CoapClient;
import dev.vigil.gateway.associations.AssociationLoader;
import dev.vigil.gateway.bridge.BridgeLifecycle;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.MirrorRecovery;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class FetchConfiguration {
  @Bean
  StoredReadings storedReadings(
      CoapClient client, AssociationLoader associations, BridgeLifecycle network) {
    BlockInbox inbox = new BlockInbox();
    Optional<Bridge> radio = network.bridge();
    radio.ifPresent(bridge -> bridge.associations().addStoredBlockListener(inbox::received));
    return new StoredReadings(
        client::send,
        associations::statuses,
        inbox,
        store ->
            radio
                .map(bridge -> bridge.associations().resetBlockStore(store))
                .orElseGet(() -> CompletableFuture.completedFuture(false)),
        StoredReadings.SILENCE_MILLIS);
  }

  @Bean
  GapFiller gapFiller(StoredReadings readings, MirrorQueries mirror, MirrorRecovery recovery) {
    return new GapFiller(readings::fetch, readings::stores, mirror, recovery);
  }
}
