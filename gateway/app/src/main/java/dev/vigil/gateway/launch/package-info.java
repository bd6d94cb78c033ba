/**
 * The verb {@code run}: options, the {@code ready} line, error messages of a failed start. The main
 * thread starts the application, waits, and stops it.
 */
@ApplicationModule(
    allowedDependencies = {"access", "accounts", "cli", "cluster", "listening", "settings", "time"})
@NullMarked
package dev.vigil.gateway.launch;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
