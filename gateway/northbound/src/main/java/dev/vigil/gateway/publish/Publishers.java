package dev.vigil.gateway.publish;

import dev.vigil.coap.server.CoapClient;
import dev.vigil.directory.Directory;
import dev.vigil.gateway.cluster.Duty;
import dev.vigil.store.Store;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Runs one publisher for each remote directory of the settings. One gateway of a cluster publishes.
 */
@Component
class Publishers implements Duty {
  private static final Duration ENDING = Duration.ofSeconds(1);

  private final List<Publisher> publishers = new ArrayList<>();
  private final Store store;
  private final List<Thread> threads = new ArrayList<>();
  private Store.@Nullable Subscription subscription;

  Publishers(
      MirrorProperties mirror,
      Directory directory,
      Store store,
      CoapClient client,
      Clock clock,
      SecureRandom random) {
    this.store = store;
    for (URI address : mirror.publish()) {
      RemoteDirectory remote = new RemoteDirectory(address, client::send);
      publishers.add(new Publisher(remote, mirror.base(), directory, store, clock, random));
    }
  }

  @Override
  public void begin() {
    if (publishers.isEmpty()) {
      return;
    }
    publishers.forEach(Publisher::open);
    subscription =
        store.present(change -> publishers.forEach(publisher -> publisher.onChange(change)));
    publishers.forEach(
        publisher -> threads.add(Thread.ofVirtual().name("publish").start(publisher)));
  }

  @Override
  public void end() {
    if (subscription != null) {
      subscription.close();
      subscription = null;
    }
    publishers.forEach(Publisher::close);
    threads.forEach(Thread::interrupt);
    try {
      for (Thread thread : threads) {
        thread.join(ENDING);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    threads.clear();
  }

  List<Publisher> all() {
    return List.copyOf(publishers);
  }
}
