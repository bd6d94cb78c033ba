/**
 * Keys: lists, decisions of operators, imports. Requests run on virtual threads; decisions are
 * committed on the store's thread.
 */
@NullMarked
package dev.vigil.gateway.keys;

import org.jspecify.annotations.NullMarked;
