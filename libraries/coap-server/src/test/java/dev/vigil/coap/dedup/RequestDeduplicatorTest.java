package dev.vigil.coap.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.message.SharedMessageIds;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.eclipse.californium.core.coap.CoAP.ResponseCode;
import org.eclipse.californium.core.coap.CoAP.Type;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.coap.Response;
import org.eclipse.californium.core.config.CoapConfig;
import org.eclipse.californium.core.network.Exchange;
import org.eclipse.californium.core.network.RandomTokenGenerator;
import org.eclipse.californium.elements.AddressEndpointContext;
import org.eclipse.californium.elements.config.Configuration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RequestDeduplicatorTest {
  private static final int IDS = 10;
  private static final InetSocketAddress PEER =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 5683);
  private static final InetSocketAddress OTHER_PEER =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 5684);

  private final Configuration config = new Configuration();
  private final RequestDeduplicator exchanges =
      new RequestDeduplicator(
          config,
          new RandomTokenGenerator(config),
          new SharedMessageIds(IDS, new Random(1)),
          System::nanoTime);

  @BeforeAll
  static void register() {
    CoapConfig.register();
  }

  /** Registers a notification, which keeps its ID until the exchange is removed. */
  private Exchange notification() {
    Exchange exchange = new Exchange(Request.newGet(), PEER, Exchange.Origin.REMOTE, null);
    exchange.setCurrentResponse(response());
    assertThat(exchanges.registerOutboundResponse(exchange)).isTrue();
    return exchange;
  }

  private static Response response() {
    Response response = new Response(ResponseCode.CONTENT);
    response.setType(Type.NON);
    response.setDestinationContext(new AddressEndpointContext(PEER));
    return response;
  }

  private Set<Integer> drawAll(InetSocketAddress peer) {
    Set<Integer> drawn = new HashSet<>();
    for (int i = 0; i < 2 * IDS; i++) {
      drawn.add(exchanges.getNextMessageId(peer));
    }
    return drawn;
  }

  @Test
  void assignsNoIdOfAnOpenExchange() {
    int used = notification().getKeyMID().getMID();
    assertThat(drawAll(PEER)).hasSize(IDS - 1).doesNotContain(used);
    for (int i = 0; i < 2 * IDS; i++) {
      assertThat(exchanges.assignMessageId(response())).isNotEqualTo(used);
    }
  }

  @Test
  void refusesNoNotificationWhileAnIdIsFree() {
    List<Exchange> latest = new ArrayList<>();
    for (int i = 0; i < IDS - 1; i++) {
      latest.add(notification());
    }
    for (int i = 0; i < 3 * IDS; i++) {
      Exchange open = notification();
      exchanges.remove(open.getKeyMID(), open);
    }
    assertThat(latest).extracting(Exchange::getKeyMID).doesNotHaveDuplicates();
  }

  @Test
  void assignsTheIdAgainAfterTheExchange() {
    Exchange exchange = notification();
    exchanges.remove(exchange.getKeyMID(), exchange);
    assertThat(drawAll(PEER)).hasSize(IDS);
  }

  @Test
  void separatesPeers() {
    notification();
    assertThat(drawAll(OTHER_PEER)).hasSize(IDS);
  }

  @Test
  void assignsAnIdEvenIfAllAreInUse() {
    for (int i = 0; i < IDS; i++) {
      notification();
    }
    assertThat(exchanges.getNextMessageId(PEER)).isBetween(0, IDS - 1);
  }
}
