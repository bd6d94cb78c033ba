/**
 * The network of motes: the border bridge as the settings want it, and what an operator sees of it.
 * The bridge brings its own threads ({@code dev.vigil.border}); what is told here is a snapshot.
 */
@NullMarked
package dev.vigil.gateway.network;

import org.jspecify.annotations.NullMarked;
