/**
 * {@code ./vigil fetch}: fetches a mote's stored readings through a running gateway and prints
 * them. Runs on {@code main}.
 */
@NullMarked
package dev.vigil.gateway.cli.fetch;

import org.jspecify.annotations.NullMarked;
