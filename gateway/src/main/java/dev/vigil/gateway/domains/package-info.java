/**
 * Administrative domains for operators: their settings and how much of their limits is used.
 * Everything is read on the request's thread.
 */
@NullMarked
package dev.vigil.gateway.domains;

import org.jspecify.annotations.NullMarked;
