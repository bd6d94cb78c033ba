package dev.vigil.gateway.publish;

import dev.vigil.directory.Directory;
import dev.vigil.directory.coap.CoapClient;
import dev.vigil.directory.state.Store;
import dev.vigil.gateway.config.MirrorProperties;
import dev.vigil.gateway.config.VigilProperties;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** The other directories of the settings, each kept in step while the gateway runs. */
@Component
class Publishers implements SmartLifecycle {
  private final List<Publisher> publishers = new ArrayList<>();
  private final Store store;
  private Store.@Nullable Subscription subscription;
  private volatile boolean running;

  Publishers(
      VigilProperties properties,
      Directory directory,
      Store store,
      CoapClient client,
      Clock clock,
      SecureRandom random) {
    this.store = store;
    MirrorProperties mirror = properties.mirror();
    for (URI address : mirror.publish()) {
      Remote remote = new Remote(address, client::ask);
      publishers.add(
          new Publisher(
              address.toString(), remote, mirror.base(), directory, store, clock, random));
    }
  }

  /** After CoAP serves, by which they ask. */
  @Override
  public void start() {
    running = true;
    if (publishers.isEmpty()) {
      return;
    }
    subscription = store.changes(0, change -> publishers.forEach(one -> one.note(change)));
    publishers.forEach(one -> Thread.ofVirtual().name("publish").start(one));
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
