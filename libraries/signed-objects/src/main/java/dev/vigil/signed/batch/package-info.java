/**
 * Verifies up to eight ES256 signatures at once, where the processor can: {@link
 * dev.vigil.signed.batch.BatchVerifier}. The native library is built by {@code native/build.sh} of
 * this module.
 *
 * <p>Threads: any number may use a {@code BatchVerifier}. Each call has its own native memory,
 * which is freed when the call returns.
 */
@NullMarked
package dev.vigil.signed.batch;

import org.jspecify.annotations.NullMarked;
