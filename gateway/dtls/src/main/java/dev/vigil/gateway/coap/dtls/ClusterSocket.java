package dev.vigil.gateway.coap.dtls;

import java.net.InetSocketAddress;
import org.eclipse.californium.scandium.DtlsClusterConnector.ClusterNodesProvider;
import org.jspecify.annotations.Nullable;

/**
 * The part of a DTLS socket that belongs to a cluster.
 *
 * @param number of this gateway, the first octet of the socket's connection IDs
 * @param channel to the other gateways; null: records of their sessions are dropped
 */
public record ClusterSocket(int number, @Nullable Channel channel) {
  /**
   * @param address of this gateway's private socket
   * @param key that the gateways of the cluster share
   * @param others the private sockets of the other gateways
   */
  record Channel(InetSocketAddress address, byte[] key, ClusterNodesProvider others) {}
}
