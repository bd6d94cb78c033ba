/**
 * The configuration of a bridge, as plain values: radios, mesh, link-layer security, TUN interface.
 *
 * <p>Threads: none. All types are immutable.
 */
@NullMarked
package dev.vigil.border.config;

import org.jspecify.annotations.NullMarked;
