/**
 * The tables and plots that experiments make, and the report that holds them. Pure but for files.
 */
@NullMarked
package dev.vigil.gateway.evaluate.tables;

import org.jspecify.annotations.NullMarked;
