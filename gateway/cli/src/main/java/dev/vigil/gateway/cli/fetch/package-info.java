/**
 * {@code ./vigil fetch}: prints readings that a mote has stored, through a running gateway. Runs on
 * {@code main}.
 */
@NullMarked
package dev.vigil.gateway.cli.fetch;

import org.jspecify.annotations.NullMarked;
