/**
 * Connects Californium's messages with the values of {@link dev.vigil.coap.exchange}: conversion of
 * requests and responses, the sender of a request ({@link dev.vigil.coap.message.CallerResolver}),
 * the base URI by which it reached the server ({@link dev.vigil.coap.message.BaseUris}), Echo
 * challenges (RFC 9175), message IDs, and the server's settings. The fast path and Californium's
 * path use the same classes, so that a client cannot tell them apart.
 *
 * <p>Threads: the package has no threads; several threads may use every class at once.
 */
@NullMarked
package dev.vigil.coap.message;

import org.jspecify.annotations.NullMarked;
