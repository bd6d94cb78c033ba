/**
 * The network of motes: the border bridge with its settings, and the operator's view of it. The
 * bridge has its own threads ({@code dev.vigil.border}); requests read snapshots.
 */
@NullMarked
package dev.vigil.gateway.network;

import org.jspecify.annotations.NullMarked;
