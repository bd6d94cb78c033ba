package dev.vigil.gateway.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The name of this host. */
public final class HostName {
  /** Read from this file, because looking up the machine's own name may wait for DNS. */
  private static final Path FILE = Path.of("/proc/sys/kernel/hostname");

  private HostName() {}

  /** Empty if the system does not reveal it. */
  public static Optional<String> read() {
    try {
      return Optional.of(Files.readString(FILE).strip());
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
