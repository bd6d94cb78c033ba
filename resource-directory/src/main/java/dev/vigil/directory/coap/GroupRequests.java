package dev.vigil.directory.coap;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.exchange.Site;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.californium.core.coap.BlockOption;
import org.eclipse.californium.core.coap.CoAP.Type;
import org.eclipse.californium.core.network.Exchange;

/**
 * Requests to a group (RFC 7252 section 8): answered only when there is something to say (RFC 6690
 * section 4.1), and only discovery and lookups. All else is met with silence, since the other
 * members of the group hear it too.
 *
 * <p>Nobody can prove an address to a group, and an Echo challenge would be an error like any
 * other; so the answer is a single small message. Of a longer one it is the first block, and the
 * rest is asked for at the address that answered (RFC 7959 section 2.8), where Echo is in force.
 */
final class GroupRequests {
  private static final Set<List<String>> PATHS =
      Set.of(
          List.of(".well-known", "core"), List.of("rd-lookup", "ep"), List.of("rd-lookup", "res"));

  /** Holds what a directory says of itself: three links. */
  private static final int MOST_OCTETS_SZX = 4;

  /** All senders together; a network has few members that look for a directory at once. */
  private static final int ANSWERS_A_SECOND = 50;

  private final Site site;
  private final Callers callers;
  private final Bases bases;
  private final Clock clock;

  // Guarded by this object's lock.
  private long second;
  private int answersInSecond;

  GroupRequests(Site site, Callers callers, Bases bases, Clock clock) {
    this.site = site;
    this.callers = callers;
    this.bases = bases;
    this.clock = clock;
  }

  void deliver(Exchange exchange) {
    var message = exchange.getRequest();
    Optional<Request> request = Optional.empty();
    if (message.getType() == Type.NON && isDiscovery(message)) {
      request = read(exchange);
    }
    if (request.isEmpty() || !isWithinRate()) {
      ignore(exchange);
      return;
    }
    site.answer(request.get())
        .thenAccept(
            answer -> {
              if (answer.code() == Code.CONTENT && answer.payload().length > 0) {
                exchange.execute(() -> exchange.sendResponse(response(message, answer)));
              } else {
                ignore(exchange);
              }
            });
  }

  private static boolean isDiscovery(org.eclipse.californium.core.coap.Request message) {
    BlockOption wanted = message.getOptions().getBlock2();
    return PATHS.contains(message.getOptions().getUriPath())
        && (wanted == null || wanted.getNum() == 0);
  }

  private Optional<Request> read(Exchange exchange) {
    var message = exchange.getRequest();
    // Whatever host it named was the group's.
    String base = bases.ofSocket(exchange);
    Caller caller =
        callers.of(exchange.getEndpoint().getAddress(), message.getSourceContext(), false, false);
    try {
      Request request = Messages.request(message, caller, base);
      return request.method() == Method.GET ? Optional.of(request) : Optional.empty();
    } catch (ExchangeException e) {
      return Optional.empty();
    }
  }

  private synchronized boolean isWithinRate() {
    long now = clock.instant().getEpochSecond();
    if (now != second) {
      second = now;
      answersInSecond = 0;
    }
    return ++answersInSecond <= ANSWERS_A_SECOND;
  }

  private static org.eclipse.californium.core.coap.Response response(
      org.eclipse.californium.core.coap.Request asked, Response answer) {
    var message = Messages.response(answer, asked.getOptions().getETags());
    // Californium delays it by a random part of the leisure (RFC 7252 section 8.2).
    message.setType(Type.NON);
    BlockOption wanted = asked.getOptions().getBlock2();
    int szx = wanted == null ? MOST_OCTETS_SZX : Math.min(MOST_OCTETS_SZX, wanted.getSzx());
    byte[] payload = message.getPayload();
    if (payload.length > BlockOption.szx2Size(szx)) {
      message.getOptions().setBlock2(szx, true, 0);
      message.getOptions().setSize2(payload.length);
      message.setPayload(Arrays.copyOf(payload, BlockOption.szx2Size(szx)));
    }
    return message;
  }

  private static void ignore(Exchange exchange) {
    exchange.execute(
        () -> {
          if (!exchange.isComplete()) {
            exchange.setComplete();
          }
        });
  }
}
