/**
 * What a shell and {@code man} know about the verbs: {@code ./vigil completion} and {@code ./vigil
 * manual}, both made from the same descriptions as {@code --help}. Runs on {@code main}.
 */
@NullMarked
package dev.vigil.gateway.cli.shell;

import org.jspecify.annotations.NullMarked;
