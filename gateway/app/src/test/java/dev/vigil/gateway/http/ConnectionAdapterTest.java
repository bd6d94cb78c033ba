package dev.vigil.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.RequestBodies;
import dev.vigil.gateway.credentials.CredentialVerifier;
import dev.vigil.gateway.credentials.Credentials;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.coyote.Adapter;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.tomcat.util.net.SocketEvent;
import org.junit.jupiter.api.Test;

class ConnectionAdapterTest {
  private static final InetSocketAddress CLIENT =
      new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 50_000);

  private static final InetAddress LOCAL = new InetSocketAddress(0).getAddress();

  private long now;
  private final ConnectionTable table = new ConnectionTable(() -> now, 64);

  /** Whether the connection was late after an hour: before and after the body was read. */
  private final List<Boolean> late = new ArrayList<>();

  /** A servlet that reads the body, then takes an hour for its answer. */
  private final class SlowServlet implements Adapter {
    @Override
    public void service(Request request, Response response) {
      ClientConnection connection = Objects.requireNonNull(table.of(LOCAL, CLIENT));
      now += TimeUnit.HOURS.toNanos(1);
      late.add(connection.isLate(now));
      assertThat(request.getAttribute(RequestBodies.BODY_READ))
          .isInstanceOfSatisfying(Runnable.class, Runnable::run);
      late.add(connection.isLate(now));
    }

    @Override
    public boolean prepare(Request request, Response response) {
      return true;
    }

    @Override
    public boolean asyncDispatch(Request request, Response response, SocketEvent status) {
      return false;
    }

    @Override
    public void log(Request request, Response response, long time) {}

    @Override
    public void checkRecycled(Request request, Response response) {}

    @Override
    public String getDomain() {
      return "";
    }
  }

  private static final class Nobody implements CredentialVerifier {
    @Override
    public Caller.Identity identify(Credentials credentials, InetAddress source) {
      return new Caller.Anonymous();
    }

    @Override
    public boolean needNewPassword(Credentials credentials) {
      return false;
    }

    @Override
    public boolean areValid(Credentials credentials, Caller.Identity identity) {
      return false;
    }
  }

  @Test
  void theDeadlineOfABodyEndsWhenItWasRead() throws Exception {
    Request request = new Request();
    request.remoteAddr().setString(CLIENT.getAddress().getHostAddress());
    request.setRemotePort(CLIENT.getPort());
    request.localAddr().setString(LOCAL.getHostAddress());
    request.setContentLength(1000);
    Response response = new Response();
    request.setResponse(response);
    try (SocketChannel channel = SocketChannel.open()) {
      assertThat(table.admit(channel, CLIENT)).isTrue();
      new ConnectionAdapter(new SlowServlet(), table, Nobody::new).service(request, response);
    }
    assertThat(late).containsExactly(true, false);
    assertThat(response.getMimeHeaders().getHeader("X-Frame-Options")).isEqualTo("DENY");
  }
}
