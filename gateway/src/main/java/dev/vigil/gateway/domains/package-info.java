/**
 * Administrative domains as they are set and as full as they are, for operators to read. Everything
 * is read on the thread that asks.
 */
@NullMarked
package dev.vigil.gateway.domains;

import org.jspecify.annotations.NullMarked;
