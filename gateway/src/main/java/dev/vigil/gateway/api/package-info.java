/** The common part of the controllers of {@code /api}: errors, paging, waiting for results. */
@NullMarked
package dev.vigil.gateway.api;

import org.jspecify.annotations.NullMarked;
