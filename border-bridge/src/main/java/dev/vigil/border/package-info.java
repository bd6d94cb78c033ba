/**
 * The border bridge: carries 802.15.4 frames to and from IPv6.
 *
 * <p>Packages, each of which uses only the packages listed before it ({@code ArchitectureTest}):
 * {@code wire}, the cursor; the codecs {@code crypto}, {@code ieee802154}, {@code ipv6}, {@code
 * sixlowpan}, {@code ipsec}, {@code rpl}, {@code slip} and {@code blocks}, pure functions and state
 * machines; {@code radio}, {@code ether}, {@code tun}, {@code host}, {@code capture} and {@code
 * storage}, which do I/O; {@code config}; {@code pipeline}, {@code link} and {@code routing}, the
 * stages of the pipeline thread; {@code bridge}, which connects all of them and describes the
 * threads; {@code cli}, the command line.
 */
@NullMarked
package dev.vigil.border;

import org.jspecify.annotations.NullMarked;
