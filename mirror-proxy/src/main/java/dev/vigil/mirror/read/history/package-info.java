/**
 * Histories: values as they were signed, with marks for their caveats, and the recovered readings
 * between them. Uses {@code trust} (for the keys), {@code state} and the packages below it.
 *
 * <p>Threads: everything runs on the caller's thread and blocks on the store.
 */
@NullMarked
package dev.vigil.mirror.read.history;

import org.jspecify.annotations.NullMarked;
