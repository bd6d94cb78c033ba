package dev.vigil.gateway.northbound;

import dev.vigil.store.Change;
import dev.vigil.store.Fact;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** Accepts facts of the slot {@code values} and fails as often as a test requests. */
final class RecordingDestination implements Destination {
  static final String SLOT = "values";

  final List<String> taken = new ArrayList<>();
  final boolean replay;
  CountDownLatch awaited = new CountDownLatch(1);
  int failures;
  long lost;

  RecordingDestination(boolean replay) {
    this.replay = replay;
  }

  @Override
  public String name() {
    return "test:one";
  }

  @Override
  public boolean replay() {
    return replay;
  }

  @Override
  public boolean concerns(Change change) {
    return change.isAbout(SLOT);
  }

  @Override
  public int readings(Change change) {
    return (int) change.facts().stream().filter(fact -> fact.slot().equals(SLOT)).count();
  }

  @Override
  public boolean connect() {
    return false;
  }

  @Override
  public void deliver(List<Change> changes, Consumer<Change> delivered) throws IOException {
    for (Change change : changes) {
      if (failures > 0) {
        failures--;
        throw new IOException("it is away");
      }
      for (Fact fact : change.facts()) {
        taken.add(new String(fact.body(), StandardCharsets.UTF_8));
      }
      delivered.accept(change);
      awaited.countDown();
    }
  }

  @Override
  public void reportLost(long number) {
    lost += number;
  }

  @Override
  public void close() {}
}
