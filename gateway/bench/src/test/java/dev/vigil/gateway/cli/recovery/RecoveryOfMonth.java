package dev.vigil.gateway.cli.recovery;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.function.LongSupplier;

/** Backups and restorations of the simulated month, as the verbs make them, with a cheap key. */
public final class RecoveryOfMonth {
  private static final String PASSPHRASE = "a passphrase of the simulated month";
  private static final PassphraseKey.Cost CHEAP = new PassphraseKey.Cost(32, 1, 4);

  private RecoveryOfMonth() {}

  /** Writes a backup of a data folder that a gateway may be using. */
  public static void backUp(Path folder, Path file, Clock clock, SecureRandom random)
      throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      new BackupWriter(clock, random, "simulated month", CHEAP)
          .write(folder, List.of(), PASSPHRASE.toCharArray(), out);
    }
  }

  /** Makes a data folder from a backup. */
  public static void restore(Path file, Path folder, Clock clock, LongSupplier nanoTime)
      throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      new DataFolderRestore(clock, nanoTime, false).restore(in, PASSPHRASE.toCharArray(), folder);
    }
  }
}
