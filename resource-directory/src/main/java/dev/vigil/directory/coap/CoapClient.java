package dev.vigil.directory.coap;

import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Query;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.MessageObserverAdapter;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.coap.Response;
import org.eclipse.californium.core.network.CoapEndpoint;
import org.eclipse.californium.elements.AddressEndpointContext;
import org.jspecify.annotations.Nullable;

/**
 * Asks other servers by the front that serves: whoever looks where a request came from finds us
 * there. The front is told later, for it needs what is served first.
 */
public final class CoapClient {
  private volatile @Nullable CoapFront front;

  /** From now on, asks by this front; null once it closes. */
  public void through(@Nullable CoapFront newFront) {
    front = newFront;
  }

  /**
   * @param server of which scheme {@code coap}, host and port count
   * @param path percent-decoded segments
   * @param format of the payload; null when there is none
   */
  public record Question(
      Method method,
      URI server,
      List<String> path,
      Query query,
      @Nullable ContentFormat format,
      byte[] payload) {}

  /**
   * @param code as people write it: {@code 2.01}
   * @param location segments of the path of what was created
   */
  public record Answer(String code, List<String> location, byte[] payload) {
    public boolean isSuccess() {
      return code.startsWith("2.");
    }
  }

  /**
   * Asks, and looks the host up where it is a name, which blocks.
   *
   * @return completes exceptionally with {@link IOException}, in words, when there is no answer
   */
  public CompletableFuture<Answer> ask(Question question) {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    try {
      URI server = question.server();
      InetAddress address = InetAddress.getByName(server.getHost());
      int port = server.getPort() < 0 ? CoAP.DEFAULT_COAP_PORT : server.getPort();
      Request request = new Request(CoAP.Code.valueOf(question.method().name()));
      request.setDestinationContext(
          new AddressEndpointContext(new InetSocketAddress(address, port)));
      request.setScheme(CoAP.COAP_URI_SCHEME);
      question.path().forEach(request.getOptions()::addUriPath);
      for (Query.Parameter one : question.query().parameters()) {
        String text = one.value().isEmpty() ? one.name() : one.name() + "=" + one.value();
        request.getOptions().addUriQuery(text);
      }
      if (question.format() != null) {
        request.getOptions().setContentFormat(question.format().number());
        request.setPayload(question.payload());
      }
      request.addMessageObserver(new Waiting(server, answer));
      endpoint(address).sendRequest(request);
    } catch (IOException e) {
      answer.completeExceptionally(e);
    }
    return answer;
  }

  private CoapEndpoint endpoint(InetAddress towards) throws IOException {
    CoapFront asking = front;
    if (asking == null) {
      throw new IOException("CoAP is not served (yet)");
    }
    return asking
        .endpointTowards(towards)
        .orElseThrow(() -> new IOException("no CoAP address of ours is of the kind of " + towards));
  }

  private static final class Waiting extends MessageObserverAdapter {
    private final URI server;
    private final CompletableFuture<Answer> answer;

    Waiting(URI server, CompletableFuture<Answer> answer) {
      this.server = server;
      this.answer = answer;
    }

    @Override
    public void onResponse(Response response) {
      answer.complete(
          new Answer(
              response.getCode().text,
              List.copyOf(response.getOptions().getLocationPath()),
              response.getPayload()));
    }

    /** Timed out, reset, too large, or could not be sent. */
    @Override
    protected void failed() {
      answer.completeExceptionally(new IOException("no answer from " + server));
    }
  }
}
