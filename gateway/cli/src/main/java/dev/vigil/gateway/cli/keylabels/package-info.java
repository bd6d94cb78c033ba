/**
 * {@code ./vigil label}: prints labels for motes, with the endpoint's name and the key's thumbprint
 * as a QR code. Runs on {@code main}.
 */
@NullMarked
package dev.vigil.gateway.cli.keylabels;

import org.jspecify.annotations.NullMarked;
