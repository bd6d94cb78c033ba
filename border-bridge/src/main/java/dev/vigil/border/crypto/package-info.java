/**
 * AES modes for 802.15.4 security and IPsec, over the JDK's AES.
 *
 * <p>Threads: none. An object holds cipher state and belongs to one thread.
 */
@NullMarked
package dev.vigil.border.crypto;

import org.jspecify.annotations.NullMarked;
