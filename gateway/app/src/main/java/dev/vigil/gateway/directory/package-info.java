/**
 * The resource directory in the gateway. One thread, {@code directory-clock}, expires lifetimes
 * once a second; {@code dev.vigil.directory} documents the other threads.
 */
@ApplicationModule(
    allowedDependencies = {"api", "callers", "exchange", "limits", "problems", "publish"})
@NullMarked
package dev.vigil.gateway.directory;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
