package dev.vigil.directory.coap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.exchange.Site;
import dev.vigil.directory.exchange.Topics;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Map;
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
  void aDtlsConnectorIsServedAndItsPeerKnown() throws Exception {
    AtomicReference<Caller> heard = new AtomicReference<>();
    Site site =
        new Site(
            Map.of(
                "/long",
                request -> {
                  heard.set(request.caller());
                  return CompletableFuture.completedFuture(
                      Response.content(
                          ContentFormat.TEXT, request.base() + " ".repeat(3000) + "end"));
                }));
    DtlsConfig.register();
    CoapSettings settings =
        new CoapSettings(List.of(), address -> false, CoapSettings.Limits.standard());
    try (CoapFront front =
        CoapFront.open(
            site,
            new Topics(),
            settings,
            List.of(connector(DtlsConfig.DtlsRole.SERVER_ONLY)),
            Clock.systemUTC(),
            new SecureRandom())) {
      String base = front.addresses().getFirst().toString();
      CoapClient client = new CoapClient(base + "/long");
      CoapEndpoint endpoint =
          CoapEndpoint.builder().setConnector(connector(DtlsConfig.DtlsRole.CLIENT_ONLY)).build();
      client.setEndpoint(endpoint);
      CoapResponse answer = client.get();
      endpoint.destroy();

      // A long answer and no Echo: the handshake has shown the address.
      assertThat(answer.getResponseText()).startsWith(base + " ").endsWith("end");
      assertThat(base).startsWith("coaps://");
      Caller caller = Objects.requireNonNull(heard.get());
      assertThat(caller.secure()).isTrue();
      assertThat(caller.verified()).isTrue();
      assertThat(caller.identity()).isEqualTo(new Caller.PreSharedKey("node-7"));
    }
  }
}
