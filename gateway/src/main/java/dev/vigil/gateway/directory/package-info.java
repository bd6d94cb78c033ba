/**
 * The resource directory within the gateway. One thread, {@code directory-clock}, lets lifetimes
 * pass once a second; the rest runs where {@code dev.vigil.directory} says.
 */
@NullMarked
package dev.vigil.gateway.directory;

import org.jspecify.annotations.NullMarked;
