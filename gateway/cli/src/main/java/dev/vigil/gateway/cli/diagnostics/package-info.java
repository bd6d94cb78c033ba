/**
 * Diagnosis of a running gateway from outside: {@code doctor --url} and {@code support}. Commands
 * without Spring; they run on the main thread of a process of their own.
 */
@NullMarked
package dev.vigil.gateway.cli.diagnostics;

import org.jspecify.annotations.NullMarked;
