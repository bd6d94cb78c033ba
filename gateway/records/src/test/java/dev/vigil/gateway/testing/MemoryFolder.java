package dev.vigil.gateway.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Folders in memory, where the machine has a file system for them with enough room. On a disk a
 * store waits at each commit.
 */
public final class MemoryFolder implements TempDirFactory {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final long ROOM = 2L << 30;

  @Override
  public Path createTempDirectory(
      AnnotatedElementContext elementContext, ExtensionContext extensionContext)
      throws IOException {
    return Files.isWritable(MEMORY) && MEMORY.toFile().getUsableSpace() > ROOM
        ? Files.createTempDirectory(MEMORY, "vigil-test")
        : Files.createTempDirectory("vigil-test");
  }
}
