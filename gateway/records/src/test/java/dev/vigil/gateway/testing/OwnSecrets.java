package dev.vigil.gateway.testing;

import dev.vigil.gateway.store.SharedSecrets;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The secrets of a gateway without a cluster. */
public final class OwnSecrets implements SharedSecrets {
  public static final SharedSecrets NONE_SHARED = new OwnSecrets();

  private OwnSecrets() {}

  @Override
  public byte[] derive(String purpose) {
    return Arrays.copyOf(purpose.getBytes(StandardCharsets.UTF_8), 32);
  }

  @Override
  public String agree(String name, Predicate<String> usable, Supplier<String> own) {
    return own.get();
  }
}
