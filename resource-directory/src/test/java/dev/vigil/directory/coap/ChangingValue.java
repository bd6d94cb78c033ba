package dev.vigil.directory.coap;

import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.EntityTag;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Resource;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.exchange.Site;
import dev.vigil.directory.exchange.Topic;
import dev.vigil.directory.exchange.Topics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A resource that says a number, tells who observes it of a new one, and counts who asks. */
final class ChangingValue implements Resource {
  static final Topic TOPIC = new Topic("value");

  private final Topics topics = new Topics();
  private final AtomicLong number = new AtomicLong(1);
  private final AtomicInteger asked = new AtomicInteger();

  /**
   * A front on a loopback port of its own that knows this value's observers. Its limits are low; it
   * gives a confirmable up after two repetitions, the first after 100 ms.
   *
   * @param trusted whether what comes from loopback counts as verified
   */
  CoapFront serve(Map<String, Resource> resources, boolean trusted, int observations)
      throws IOException {
    return CoapFront.open(
        new Site(resources),
        topics,
        new CoapSettings(
            List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
            address -> trusted && address.isLoopbackAddress(),
            new CoapSettings.Limits(2, 65_536, 100, 100, observations, Duration.ofMillis(100), 2)),
        List.of(),
        Clock.systemUTC(),
        new SecureRandom());
  }

  @Override
  public CompletableFuture<Response> answer(Request request) {
    asked.incrementAndGet();
    return CompletableFuture.completedFuture(
        saying(number(), request.choose(List.of(ContentFormat.TEXT, ContentFormat.JSON))));
  }

  static Response saying(long number) {
    return saying(number, ContentFormat.TEXT);
  }

  private static Response saying(long number, ContentFormat format) {
    return Response.content(format, "value " + number)
        .withTag(new EntityTag(number, format))
        .withMaxAge(30)
        .observable(TOPIC);
  }

  long number() {
    return number.get();
  }

  int asked() {
    return asked.get();
  }

  void changeTo(long newNumber) {
    number.set(newNumber);
    tellOfAChange();
  }

  void tellOfAChange() {
    topics.changed(TOPIC);
  }
}
