package dev.vigil.border;

import dev.vigil.border.rpl.VersionStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The DODAG version among the bridge's numbers. */
record RplVersionMemory(BridgeMemory memory) implements VersionStore {
  private static final String NAME = "rpl/version";

  @Override
  public OptionalInt load() {
    OptionalLong stored = memory.load(NAME);
    return stored.isPresent()
        ? OptionalInt.of((int) stored.getAsLong() & 0xff)
        : OptionalInt.empty();
  }

  @Override
  public void save(int version) {
    try {
      memory.save(Map.of(NAME, (long) version));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
