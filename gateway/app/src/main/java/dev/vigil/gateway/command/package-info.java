/**
 * {@code ./vigil command}: signs a command with a commander's key and sends it to a gateway. It
 * runs without Spring, on the main thread and the HTTP client's. {@link
 * dev.vigil.gateway.command.CommanderKey} also signs for Home Assistant's switches.
 */
@NullMarked
package dev.vigil.gateway.command;

import org.jspecify.annotations.NullMarked;
