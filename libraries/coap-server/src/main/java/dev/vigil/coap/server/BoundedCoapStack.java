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
 * Californium's layers, with uploads assembled below them and a separate bound on block-wise
 * downloads: each holds its body, so that Californium's own bound, the number of active peers, is
 * far too large.
 */
final class BoundedCoapStack extends BaseCoapStack {
  BoundedCoapStack(
      String tag,
      Configuration config,
      EndpointContextMatcher matcher,
      Outbox outbox,
      int maxTransfers,
      BlockwiseUploadLayer uploads) {
    super(outbox);
    Configuration blockwise = new Configuration(config);
    blockwise.set(CoapConfig.MAX_ACTIVE_PEERS, maxTransfers);
    setLayers(
        new Layer[] {
          new ExchangeCleanupLayer(config),
          new ObserveLayer(config),
          new BlockwiseLayer(tag, false, blockwise, matcher),
          uploads,
          CongestionControlLayer.newImplementation(tag, config)
        });
  }
}
