/**
 * What the gateway serves, whatever carries it: the features put their resources together into one
 * {@link dev.vigil.directory.exchange.Site}, over the state and the access rules that they share.
 */
@NullMarked
package dev.vigil.gateway.site;

import org.jspecify.annotations.NullMarked;
