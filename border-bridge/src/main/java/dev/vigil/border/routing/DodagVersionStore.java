package dev.vigil.border.routing;

import dev.vigil.border.rpl.VersionStore;
import dev.vigil.border.storage.DurableCounters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Keeps the DODAG version among the bridge's durable counters. */
record DodagVersionStore(DurableCounters counters) implements VersionStore {
  private static final String NAME = "rpl/version";

  @Override
  public OptionalInt load() {
    OptionalLong stored = counters.load(NAME);
    return stored.isPresent()
        ? OptionalInt.of((int) stored.getAsLong() & 0xff)
        : OptionalInt.empty();
  }

  @Override
  public void save(int version) {
    try {
      counters.save(Map.of(NAME, (long) version));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
