package dev.vigil.gateway.publish;

import dev.vigil.coap.server.CoapClient;
import dev.vigil.directory.Directory;
import dev.vigil.store.Store;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Runs one publisher for each remote directory of the settings while the gateway runs. */
@Component
class Publishers implements SmartLifecycle {
  private final List<Publisher> publishers = new ArrayList<>();
  private final Store store;
  private Store.@Nullable Subscription subscription;
  private volatile boolean running;

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

  /** Starts after the CoAP server, because the publishers send their requests through it. */
  @Override
  public void start() {
    running = true;
    if (publishers.isEmpty()) {
      return;
    }
    subscription =
        store.changes(0, change -> publishers.forEach(publisher -> publisher.onChange(change)));
    publishers.forEach(publisher -> Thread.ofVirtual().name("publish").start(publisher));
  }

  @Override
  public void stop() {
    running = false;
    if (subscription != null) {
      subscription.close();
    }
    publishers.forEach(Publisher::close);
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  List<Publisher> all() {
    return List.copyOf(publishers);
  }
}
