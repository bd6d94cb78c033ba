/**
 * Several UDP datagrams in one system call, on 64-bit Linux. {@link dev.vigil.coap.udp.SendSocket}
 * is a second descriptor of a socket of the JDK, and {@link dev.vigil.coap.udp.DatagramArray} holds
 * datagrams outside the heap.
 *
 * <p>Threads: any thread sends through a socket, also while another one closes it. An array belongs
 * to one thread.
 */
@NullMarked
package dev.vigil.coap.udp;

import org.jspecify.annotations.NullMarked;
