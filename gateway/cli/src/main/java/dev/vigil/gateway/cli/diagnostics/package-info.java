/**
 * Diagnosis of a running gateway from outside: {@code doctor --url} and {@code support}. The
 * commands need no Spring; each runs on the main thread of its own process.
 */
@NullMarked
package dev.vigil.gateway.cli.diagnostics;

import org.jspecify.annotations.NullMarked;
