package dev.vigil.coap.server;

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
 * Californium's layers with two additions: uploads are assembled below its block-wise layer, and
 * long responses are cut above it. Californium's layer then keeps bodies only for requests that
 * this process sends.
 */
final class BoundedCoapStack extends BaseCoapStack {
  BoundedCoapStack(
      String tag,
      Configuration config,
      EndpointContextMatcher matcher,
      Outbox outbox,
      BlockwiseUploadLayer uploads,
      BlockwiseDownloadLayer downloads) {
    super(outbox);
    setLayers(
        new Layer[] {
          new ExchangeCleanupLayer(config),
          new ObserveLayer(config),
          downloads,
          new BlockwiseLayer(tag, false, config, matcher),
          uploads,
          CongestionControlLayer.newImplementation(tag, config),
          new MulticastDuplicateLayer()
        });
  }
}
