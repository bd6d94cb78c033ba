/**
 * Puts the gateway together: the beans that all features share, and one {@link
 * dev.vigil.coap.exchange.RequestDispatcher} over the resources that the features provide. CoAP and
 * HTTP both serve it.
 */
@NullMarked
package dev.vigil.gateway.wiring;

import org.jspecify.annotations.NullMarked;
