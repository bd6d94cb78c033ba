/** Shared vectors, and tests of the whole module. */
@NullMarked
package dev.vigil.border;

import org.jspecify.annotations.NullMarked;
