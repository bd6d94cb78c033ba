/**
 * The settings: {@code vigil.*} in {@code application.yaml}, in the environment, or as options of
 * the launcher. They are read once at the start and immutable afterwards.
 */
@NullMarked
package dev.vigil.gateway.config;

import org.jspecify.annotations.NullMarked;
