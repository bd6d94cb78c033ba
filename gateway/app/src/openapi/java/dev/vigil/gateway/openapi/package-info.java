/**
 * Writes the OpenAPI document during the build, from the controllers and {@code base.yaml}.
 * Compiled with the tests, no part of the jar. Everything runs on one thread.
 */
@NullMarked
package dev.vigil.gateway.openapi;

import org.jspecify.annotations.NullMarked;
