package dev.vigil.gateway.coap.dtls;

/**
 * Figures of the DTLS sockets; counters since they were opened.
 *
 * @param sessions established sessions
 * @param halfOpen handshakes that are not finished
 * @param completed handshakes
 * @param failed handshakes
 * @param restored sessions that the last stop had saved
 * @param forwarding records between the gateways of a cluster
 */
public record DtlsStatistics(
    int sessions, int halfOpen, long completed, long failed, int restored, Forwarding forwarding) {
  public static final DtlsStatistics NONE =
      new DtlsStatistics(0, 0, 0, 0, 0, new Forwarding(0, 0, 0));

  /**
   * @param sent records of other gateways' sessions that were forwarded to them
   * @param received records that others forwarded to this gateway
   * @param refused datagrams at the private socket that no gateway of the cluster had sent
   */
  public record Forwarding(long sent, long received, long refused) {
    Forwarding plus(Forwarding more) {
      return new Forwarding(sent + more.sent, received + more.received, refused + more.refused);
    }
  }

  public DtlsStatistics plus(DtlsStatistics more) {
    return new DtlsStatistics(
        sessions + more.sessions,
        halfOpen + more.halfOpen,
        completed + more.completed,
        failed + more.failed,
        restored + more.restored,
        forwarding.plus(more.forwarding));
  }
}
