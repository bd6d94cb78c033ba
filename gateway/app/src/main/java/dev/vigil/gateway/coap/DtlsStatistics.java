package dev.vigil.gateway.coap;

/**
 * Figures of the DTLS sockets; counters since they were opened.
 *
 * @param sessions established sessions
 * @param halfOpen handshakes that are not finished
 * @param completed handshakes
 * @param failed handshakes
 */
record DtlsStatistics(int sessions, int halfOpen, long completed, long failed) {
  static final DtlsStatistics NONE = new DtlsStatistics(0, 0, 0, 0);

  DtlsStatistics plus(DtlsStatistics more) {
    return new DtlsStatistics(
        sessions + more.sessions,
        halfOpen + more.halfOpen,
        completed + more.completed,
        failed + more.failed);
  }
}
