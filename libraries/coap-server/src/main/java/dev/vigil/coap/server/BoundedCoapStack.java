package dev.vigil.coap.server;

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
 * Californium's layers with a separate bound on block-wise transfers. The first block of an upload
 * makes Californium allocate the largest body, so its own bound, the number of active peers, is far
 * too large.
 */
final class BoundedCoapStack extends BaseCoapStack {
  BoundedCoapStack(
      String tag,
      Configuration config,
      EndpointContextMatcher matcher,
      Outbox outbox,
      int maxTransfers,
      BlockwiseUploadLimit uploadLimit) {
    super(outbox);
    Configuration blockwise = new Configuration(config);
    blockwise.set(CoapConfig.MAX_ACTIVE_PEERS, maxTransfers);
    setLayers(
        new Layer[] {
          new ExchangeCleanupLayer(config),
          new ObserveLayer(config),
          new BlockwiseLayer(tag, false, blockwise, matcher),
          uploadLimit,
          CongestionControlLayer.newImplementation(tag, config)
        });
  }
}
