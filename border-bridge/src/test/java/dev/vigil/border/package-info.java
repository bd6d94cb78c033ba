/** Shared vectors, and the tests that look at the whole module. */
@NullMarked
package dev.vigil.border;

import org.jspecify.annotations.NullMarked;
