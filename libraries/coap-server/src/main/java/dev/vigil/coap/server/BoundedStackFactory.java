package dev.vigil.coap.server;

import org.eclipse.californium.core.network.ExtendedCoapStackFactory;
import org.eclipse.californium.core.network.Outbox;
import org.eclipse.californium.core.network.stack.CoapStack;
import org.eclipse.californium.elements.EndpointContextMatcher;
import org.eclipse.californium.elements.config.Configuration;

/** Californium builds the stack through a factory, because it needs the endpoint's outbox. */
record BoundedStackFactory(BlockwiseUploadLayer uploads, BlockwiseDownloadLayer downloads)
    implements ExtendedCoapStackFactory {
  @Override
  public CoapStack createCoapStack(
      String protocol,
      String tag,
      Configuration config,
      EndpointContextMatcher matcher,
      Outbox outbox,
      Object argument) {
    return new BoundedCoapStack(tag, config, matcher, outbox, uploads, downloads);
  }

  @Deprecated
  @Override
  public CoapStack createCoapStack(
      String protocol, String tag, Configuration config, Outbox outbox, Object argument) {
    throw new IllegalStateException("Californium before 3.1 is not supported");
  }
}
