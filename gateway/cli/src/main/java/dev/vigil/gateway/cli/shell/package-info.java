/**
 * The verbs {@code ./vigil completion} and {@code ./vigil manual}, which describe all verbs to a
 * shell and to {@code man}. Both use the same descriptions as {@code --help}. Runs on {@code main}.
 */
@NullMarked
package dev.vigil.gateway.cli.shell;

import org.jspecify.annotations.NullMarked;
