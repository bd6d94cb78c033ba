package dev.vigil.coap.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.exchange.Route;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.coap.message.CoapSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.californium.core.CoapClient;
import org.eclipse.californium.core.CoapResponse;
import org.eclipse.californium.core.network.CoapEndpoint;
import org.eclipse.californium.elements.config.Configuration;
import org.eclipse.californium.scandium.DTLSConnector;
import org.eclipse.californium.scandium.config.DtlsConfig;
import org.eclipse.californium.scandium.config.DtlsConnectorConfig;
import org.eclipse.californium.scandium.dtls.pskstore.AdvancedSinglePskStore;
import org.junit.jupiter.api.Test;

class DtlsTest {
  private static final byte[] KEY = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private static DTLSConnector connector(DtlsConfig.DtlsRole role) {
    return new DTLSConnector(
        DtlsConnectorConfig.builder(new Configuration().set(DtlsConfig.DTLS_ROLE, role))
            .setAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .setAdvancedPskStore(new AdvancedSinglePskStore("node-7", KEY))
            .build());
  }

  @Test
  void servesADtlsConnectorAndIdentifiesItsPeer() throws Exception {
    AtomicReference<Caller> received = new AtomicReference<>();
    RequestDispatcher dispatcher =
        new RequestDispatcher(
            List.of(
                Route.of(
                    "/long",
                    request -> {
                      received.set(request.caller());
                      return CompletableFuture.completedFuture(
                          Response.content(
                              ContentFormat.TEXT, request.base() + " ".repeat(3000) + "end"));
                    })));
    DtlsConfig.register();
    CoapSettings settings =
        new CoapSettings(List.of(), address -> false, CoapSettings.Limits.standard());
    try (CoapServer server =
        CoapServer.open(
            dispatcher,
            new Topics(),
            settings,
            List.of(connector(DtlsConfig.DtlsRole.SERVER_ONLY)),
            new Clocks(Clock.systemUTC(), System::nanoTime),
            new SecureRandom())) {
      String base = server.addresses().getFirst().toString();
      CoapClient client = new CoapClient(base + "/long");
      CoapEndpoint endpoint =
          CoapEndpoint.builder().setConnector(connector(DtlsConfig.DtlsRole.CLIENT_ONLY)).build();
      client.setEndpoint(endpoint);
      CoapResponse response = client.get();
      endpoint.destroy();

      // A long response without Echo: the handshake has verified the address.
      assertThat(response.getResponseText()).startsWith(base + " ").endsWith("end");
      assertThat(base).startsWith("coaps://");
      Caller caller = Objects.requireNonNull(received.get());
      assertThat(caller.secure()).isTrue();
      assertThat(caller.verified()).isTrue();
      assertThat(caller.identity()).isEqualTo(new Caller.PreSharedKey("node-7"));
    }
  }
}
