/**
 * Signed updates ({@code PUT /ms/{id}/{path}}; docs/protocol.md sections 3 to 5): {@code
 * UpdateReader} opens the payload in any of its forms, {@code UpdateProfile} checks it against the
 * registration, {@code UpdateService} verifies the signature and commits the value. Uses {@code
 * registration} (for the proof of a plain registration), {@code state} and the packages below.
 *
 * <p>Threads: parsing, checks and signature verification run on the thread of the request, which
 * may begin other requests before the verification ({@code VerificationMeter}); the answer is built
 * on the store's thread after the commit. Nothing blocks.
 */
@NullMarked
package dev.vigil.mirror.update;

import org.jspecify.annotations.NullMarked;
