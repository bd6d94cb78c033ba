package dev.vigil.gateway.credentials;

/** Hashes of passwords that cost a test little. */
public final class CheapHasher {
  private CheapHasher() {}

  public static PasswordHasher create() {
    return new PasswordHasher(8, 1);
  }
}
