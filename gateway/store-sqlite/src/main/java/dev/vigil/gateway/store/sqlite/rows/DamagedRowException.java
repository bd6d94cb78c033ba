package dev.vigil.gateway.store.sqlite.rows;

import java.io.Serial;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A part of the file is not what was written: its checksum is wrong, or it has no valid form. */
public final class DamagedRowException extends SQLException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * @param part for instance "the table fact"
   */
  public DamagedRowException(String part, @Nullable Throwable cause) {
    super(part, cause);
  }

  /** A row that does not have its checksum. */
  static DamagedRowException ofRow(String table, long... key) {
    return new DamagedRowException("row %s of %s".formatted(Arrays.toString(key), table), null);
  }
}
