package dev.vigil.coap.blockwise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Caller;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.eclipse.californium.core.coap.BlockOption;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.CoAP.ResponseCode;
import org.eclipse.californium.core.coap.Response;
import org.eclipse.californium.core.config.CoapConfig;
import org.eclipse.californium.core.network.CoapEndpoint;
import org.eclipse.californium.core.network.Endpoint;
import org.eclipse.californium.core.network.stack.KeyUri;
import org.eclipse.californium.elements.config.Configuration;
import org.eclipse.californium.elements.config.UdpConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BlockwiseDownloadsTest {
  private static final int BODY = 4_000;
  private static final int BODIES = 6;
  private static final BlockOption SECOND = new BlockOption(5, false, 1);

  private final Endpoint endpoint = endpoint();
  private long now;
  private boolean scarce;
  private final BlockwiseDownloads downloads =
      new BlockwiseDownloads(BODIES * BODY, () -> scarce, () -> now);

  private static Endpoint endpoint() {
    CoapConfig.register();
    UdpConfig.register();
    return CoapEndpoint.builder()
        .setConfiguration(Configuration.createStandardWithoutFile())
        .build();
  }

  private static InetSocketAddress address(String address, int port) {
    try {
      return new InetSocketAddress(InetAddress.getByName(address), port);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private BlockwiseDownload.Key key(String address, String path) {
    KeyUri uri = new KeyUri("coap:/" + path, address(address, 5683), CoAP.Code.GET);
    return new BlockwiseDownload.Key(endpoint, uri, -1);
  }

  private void begin(String address, String path, Caller caller) {
    Response whole = new Response(ResponseCode.CONTENT);
    whole.getOptions().setObserve(7).addETag(new byte[] {1});
    whole.setPayload(path.repeat(BODY / path.length()));
    downloads.begin(key(address, path), whole, caller);
  }

  private void begin(String address, String path) {
    begin(address, path, caller(address, true));
  }

  private static Caller caller(String address, boolean verified) {
    return new Caller(address(address, 5683), verified, false, new Caller.Anonymous());
  }

  private @Nullable Response second(String address, String path) {
    return downloads.next(key(address, path), SECOND);
  }

  @Test
  void everyBlockComesFromTheSameBody() {
    begin("192.0.2.1", "abcd");
    StringBuilder body = new StringBuilder("abcd".repeat(128));
    for (int number = 1; number < 8; number++) {
      Response block =
          Objects.requireNonNull(
              downloads.next(key("192.0.2.1", "abcd"), new BlockOption(5, false, number)));
      assertThat(block.getOptions().getETags()).containsExactly(new byte[] {1});
      assertThat(block.getOptions().hasObserve()).isFalse();
      assertThat(block.getOptions().getBlock2().isM()).isEqualTo(number < 7);
      body.append(block.getPayloadString());
    }
    assertThat(body.toString()).isEqualTo("abcd".repeat(1000));
    assertThat(downloads.octets()).as("after the last block").isZero();
  }

  @Test
  void keepsNoMoreThanTheBoundAndAQuarterOfItForForgedAddresses() {
    for (int i = 0; i < 100; i++) {
      begin("192.0.2." + i, "abcd", caller("192.0.2." + i, false));
    }
    assertThat(downloads.octets()).isEqualTo(BODY);
    for (int i = 0; i < 100; i++) {
      begin("192.0.2." + i, "abcd");
      assertThat(downloads.octets()).isLessThanOrEqualTo(BODIES * BODY);
    }
    assertThat(downloads.octets()).isEqualTo(BODIES * BODY);
  }

  @Test
  void theGreediestSourceLosesItsLongestIdleBodyToOthers() {
    for (int i = 0; i < 50; i++) {
      begin("198.51.100.66", "%04d".formatted(i));
    }
    begin("192.0.2.1", "mine");
    assertThat(second("192.0.2.1", "mine")).isNotNull();
    assertThat(second("198.51.100.66", "0000")).as("the longest idle").isNull();
    assertThat(second("198.51.100.66", "0001")).isNotNull();
    assertThat(second("198.51.100.66", "0049")).as("begun when all was taken").isNull();
  }

  @Test
  void anotherBodyForTheSameRequestReplacesTheFirst() {
    begin("192.0.2.1", "abcd");
    begin("192.0.2.1", "abcd");
    assertThat(downloads.octets()).isEqualTo(BODY);
  }

  @Test
  void aBlockBeyondTheEndIsNotServed() {
    begin("192.0.2.1", "abcd");
    assertThat(downloads.next(key("192.0.2.1", "abcd"), new BlockOption(5, false, 8))).isNull();
  }

  @Test
  void aSilentClientAndScarceMemoryEndDownloads() {
    begin("192.0.2.1", "abcd");
    now = TimeUnit.SECONDS.toNanos(100);
    begin("192.0.2.2", "abcd");
    now = TimeUnit.SECONDS.toNanos(130);
    downloads.sweep();
    assertThat(second("192.0.2.1", "abcd")).isNull();
    assertThat(second("192.0.2.2", "abcd")).isNotNull();
    scarce = true;
    downloads.sweep();
    assertThat(downloads.octets()).isZero();
    begin("192.0.2.2", "abcd");
    assertThat(downloads.octets()).as("while memory is scarce").isZero();
  }
}
