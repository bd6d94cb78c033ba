package dev.vigil.gateway.associations;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * The attributes that change when a file is written or replaced.
 *
 * @param key the file's identity, which a rename changes
 */
record FileState(FileTime modified, long size, @Nullable Object key) {
  /** The state of a file; null while it is being replaced, or when it was removed. */
  static @Nullable FileState of(Path file) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return new FileState(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
    } catch (IOException e) {
      return null;
    }
  }
}
