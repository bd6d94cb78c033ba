/**
 * Keys: which there are, what an operator decides about them, imports. Requests run on virtual
 * threads; decisions land on the store's.
 */
@NullMarked
package dev.vigil.gateway.keys;

import org.jspecify.annotations.NullMarked;
