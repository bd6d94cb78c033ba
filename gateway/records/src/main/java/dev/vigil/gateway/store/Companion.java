package dev.vigil.gateway.store;

import java.util.Arrays;
import java.util.Optional;

/** A file beside the database that cannot be recreated without harm. */
public enum Companion {
  IDENTITY(
      "identity.jwk",
      "motes and clients that know the gateway's key refuse the gateway until they receive the"
          + " new one, and keys of encrypted updates are lost"),
  COUNTERS(
      "bridge.counters",
      "change the link key too, because frame counters must not repeat under one key"),
  AUTHORITY(
      "https-authority.pem", "clients that trust the old authority must be given the new /ca.pem");

  private final String file;
  private final String loss;

  Companion(String file, String loss) {
    this.file = file;
    this.loss = loss;
  }

  /** The companion with a given file name. */
  public static Optional<Companion> of(String file) {
    return Arrays.stream(values()).filter(one -> one.file.equals(file)).findFirst();
  }

  /** The name of the file in the data folder. */
  public String file() {
    return file;
  }

  /** The consequence of replacing the file with a new one. */
  public String loss() {
    return loss;
  }
}
