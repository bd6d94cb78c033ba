/** Who may do what. Decided by value, on the thread that asks. */
@NullMarked
package dev.vigil.gateway.access;

import org.jspecify.annotations.NullMarked;
