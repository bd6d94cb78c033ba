/**
 * What an operator can set: {@code vigil.*} in {@code application.yaml}, in the environment, or by
 * the launcher's options. Records without behaviour; read once at the start, by any thread after.
 */
@NullMarked
package dev.vigil.gateway.config;

import org.jspecify.annotations.NullMarked;
