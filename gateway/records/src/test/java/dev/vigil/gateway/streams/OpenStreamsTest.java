package dev.vigil.gateway.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.store.Store;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

class OpenStreamsTest {
  private static final Caller CALLER =
      new Caller(
          new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 1),
          true,
          true,
          new Caller.Anonymous());

  private final List<String> closed = new ArrayList<>();
  private final ClientStream<String> stream =
      new ClientStream<>(new NothingToSend(), () -> true, Duration.ZERO);

  private static final class NothingToSend implements Backlog<String> {
    @Override
    public boolean isEmpty() {
      return true;
    }

    @Override
    public @Nullable String poll() {
      return null;
    }

    @Override
    public void send(String event, SseEmitter emitter) {
      throw new AssertionError(event);
    }
  }

  private static final class Streams extends OpenStreams {
    Streams() {
      super(2, 0);
      start();
    }
  }

  private Store.Subscription subscription(String name) {
    return () -> closed.add(name);
  }

  @Test
  void aStreamThatCannotFollowAllItsSourcesFollowsNone() {
    Streams streams = new Streams();
    Runnable follow =
        () -> {
          stream.follow(subscription("first"));
          throw new IllegalStateException("the second source is closed");
        };
    assertThatThrownBy(() -> streams.open(CALLER, stream, follow, SseEmitter.event()))
        .hasMessage("the second source is closed");
    assertThat(closed).containsExactly("first");
  }

  @Test
  void anEndedStreamClosesItsSubscriptionsAndLaterOnesAtOnce() {
    stream.follow(subscription("first"));
    stream.follow(subscription("second"));
    assertThat(closed).isEmpty();
    stream.close();
    assertThat(closed).containsExactly("first", "second");
    stream.follow(subscription("late"));
    assertThat(closed).containsExactly("first", "second", "late");
  }
}
