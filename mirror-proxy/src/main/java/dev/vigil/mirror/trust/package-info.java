/**
 * Trust in keys (docs/protocol.md section 6): operators' decisions ({@code TrustService}), public
 * keys for clients ({@code KeyResource}) and the mirror's own key ({@code MirrorIdentity}). {@code
 * JwkCodec} uses jose4j to read and write keys from files, settings and operators; keys in requests
 * from endpoints never pass through it. Uses {@code state} and the packages below it.
 *
 * <p>Threads: operators' decisions run on the thread of their request and complete on the store's
 * thread. The identity key is read or created once at start.
 */
@NullMarked
package dev.vigil.mirror.trust;

import org.jspecify.annotations.NullMarked;
