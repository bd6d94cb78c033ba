/**
 * What was decided, when, and by whom: read from the store's feed, where each decision stands in
 * the same batch as what it changed.
 */
@NullMarked
package dev.vigil.gateway.audit;

import org.jspecify.annotations.NullMarked;
