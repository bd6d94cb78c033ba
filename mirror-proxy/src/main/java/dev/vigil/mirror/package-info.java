/**
 * The mirror proxy: answers for sleepy endpoints with what they signed.
 *
 * <p>Threads: the mirror has none of its own. Requests come on the threads of the adapters (CoAP
 * workers, where one endpoint's requests follow each other, and HTTP's virtual threads), which
 * parse, judge and verify; the rest of a request that changes something runs on the store's thread
 * when its batch is certain. The store's feed thread alone writes {@code Memory}, whose endpoints
 * are immutable and are exchanged whole in concurrent maps, so that readers need no lock. {@code
 * Unproven} is guarded by itself, meters and counters by their maps. Nothing blocks but a look into
 * the store for a name that is not in memory, and history.
 */
@NullMarked
package dev.vigil.mirror;

import org.jspecify.annotations.NullMarked;
