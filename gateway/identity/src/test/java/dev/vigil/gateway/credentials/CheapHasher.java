package dev.vigil.gateway.credentials;

import java.time.Duration;

/** Hashes of passwords that cost a test little. */
public final class CheapHasher {
  private CheapHasher() {}

  public static PasswordHasher create() {
    return new PasswordHasher(8, 1, Duration.ofMinutes(10));
  }
}
