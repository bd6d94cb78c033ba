/**
 * {@code ./vigil command}: signs a command with a commander's key and sends it to a gateway. Runs
 * on {@code main} and the threads of the HTTP client.
 */
@NullMarked
package dev.vigil.gateway.cli.commanding;

import org.jspecify.annotations.NullMarked;
