package dev.vigil.coap.server;

import dev.vigil.coap.blockwise.BlockwiseUploads;
import dev.vigil.coap.dispatch.RequestContext;
import java.util.List;

/**
 * Statistics of a CoAP server; counters start when it is opened.
 *
 * @param sockets in the order of {@link CoapServer#addresses}
 * @param echoChallenges responses with a new Echo value, which the sender of the request has to
 *     repeat
 * @param echoProofs requests with a valid Echo value
 * @param requestsWaiting requests that wait for earlier ones with the same key
 * @param requestsRefused requests answered with 5.03 because too many with their key were waiting
 * @param observations concurrent observations
 * @param uploads unfinished block-wise uploads
 */
public record CoapStatistics(
    List<Socket> sockets,
    long echoChallenges,
    long echoProofs,
    int requestsWaiting,
    long requestsRefused,
    int observations,
    int uploads) {
  public static final CoapStatistics NONE = new CoapStatistics(List.of(), 0, 0, 0, 0, 0, 0);

  static CoapStatistics of(
      List<FairQueueConnector> queues,
      RequestContext context,
      ObserverPlaces observers,
      BlockwiseUploads uploads) {
    return new CoapStatistics(
        queues.stream().map(FairQueueConnector::statistics).toList(),
        context.echo().challenges(),
        context.echo().proofs(),
        context.serialExecutor().waiting(),
        context.serialExecutor().refused(),
        observers.size(),
        uploads.size());
  }

  public CoapStatistics {
    sockets = List.copyOf(sockets);
  }

  /**
   * @param secure whether the socket speaks DTLS
   * @param received datagrams; over DTLS only those with application data
   * @param dropped datagrams of sources that sent more than their share while the workers were
   *     behind
   * @param waiting datagrams that no worker has started
   */
  public record Socket(boolean secure, long received, long dropped, int waiting) {}
}
