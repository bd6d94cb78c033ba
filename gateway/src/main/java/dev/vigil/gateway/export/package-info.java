/**
 * Archives of readings, and their verification years later without any gateway: CSV and JSON lines
 * in which what each endpoint signed stands beside each value.
 *
 * <p>Threads: an export is written by the virtual thread of its request, a page of the store at a
 * time, as fast as its reader takes it. The command runs on {@code main} alone.
 */
@NullMarked
package dev.vigil.gateway.export;

import org.jspecify.annotations.NullMarked;
