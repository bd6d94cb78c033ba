/**
 * Authorization by domain, and authentication of the operator. Decisions are made on the caller's
 * thread from immutable settings; only the count of failed attempts is shared, under its own lock.
 */
@NullMarked
package dev.vigil.gateway.access;

import org.jspecify.annotations.NullMarked;
