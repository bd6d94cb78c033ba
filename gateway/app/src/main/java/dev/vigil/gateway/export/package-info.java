/**
 * Archives of readings, and their verification without a gateway: CSV and JSON lines that hold each
 * value together with the object that the endpoint signed.
 *
 * <p>Threads: an export is written by the virtual thread of its request, one page of the store at a
 * time. The command runs on {@code main}.
 */
@NullMarked
package dev.vigil.gateway.export;

import org.jspecify.annotations.NullMarked;
