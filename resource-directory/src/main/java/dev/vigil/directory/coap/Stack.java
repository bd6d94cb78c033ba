package dev.vigil.directory.coap;

import org.eclipse.californium.core.config.CoapConfig;
import org.eclipse.californium.core.network.Outbox;
import org.eclipse.californium.core.network.stack.BaseCoapStack;
import org.eclipse.californium.core.network.stack.BlockwiseLayer;
import org.eclipse.californium.core.network.stack.CongestionControlLayer;
import org.eclipse.californium.core.network.stack.ExchangeCleanupLayer;
import org.eclipse.californium.core.network.stack.Layer;
import org.eclipse.californium.core.network.stack.ObserveLayer;
import org.eclipse.californium.elements.EndpointContextMatcher;
import org.eclipse.californium.elements.config.Configuration;

/**
 * Californium's own layers, with a bound of its own on block-wise transfers: an upload's first
 * block makes the layer allocate the largest body, and the number of peers, which is what it bounds
 * by otherwise, is far too large for that.
 */
final class Stack extends BaseCoapStack {
  Stack(
      String tag,
      Configuration config,
      EndpointContextMatcher matcher,
      Outbox outbox,
      int maxTransfers,
      Uploads uploads) {
    super(outbox);
    Configuration transfers = new Configuration(config);
    transfers.set(CoapConfig.MAX_ACTIVE_PEERS, maxTransfers);
    setLayers(
        new Layer[] {
          new ExchangeCleanupLayer(config),
          new ObserveLayer(config),
          new BlockwiseLayer(tag, false, transfers, matcher),
          uploads,
          CongestionControlLayer.newImplementation(tag, config)
        });
  }
}
