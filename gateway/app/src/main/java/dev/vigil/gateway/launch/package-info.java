/**
 * The {@code run} command: options, the {@code ready} line, error messages of a failed start. The
 * main thread starts the application, waits, and stops it.
 */
@NullMarked
package dev.vigil.gateway.launch;

import org.jspecify.annotations.NullMarked;
