package dev.vigil.gateway.coap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.coap.message.CoapSettings;
import dev.vigil.coap.server.Clocks;
import dev.vigil.coap.server.CoapServer;
import dev.vigil.coap.server.ListenException;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;

class CoapServerLifecycleTest {
  @Test
  void namesTheSettingsForAnotherAddressWhenOneIsInUse() throws IOException {
    try (DatagramSocket taken =
        new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), taken.getLocalPort());
      CoapSettings settings =
          new CoapSettings(List.of(address), any -> true, CoapSettings.Limits.standard());
      ListenException inUse =
          catchThrowableOfType(
              ListenException.class,
              () ->
                  CoapServer.open(
                          new RequestDispatcher(List.of()),
                          new Topics(),
                          settings,
                          List.of(),
                          new Clocks(Clock.systemUTC(), System::nanoTime),
                          new SecureRandom())
                      .close());

      assertThat(CoapServerLifecycle.withHint(inUse))
          .hasMessageStartingWith("cannot listen on coap://127.0.0.1:" + taken.getLocalPort())
          .hasMessageEndingWith(
              ". Is another gateway running (ss -lunp)? Stop it, or choose another port"
                  + " (--coap-port) or other addresses in vigil.coap.addresses");
    }
  }
}
