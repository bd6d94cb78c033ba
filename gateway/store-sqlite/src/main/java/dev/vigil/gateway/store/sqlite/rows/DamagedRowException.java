package dev.vigil.gateway.store.sqlite.rows;

import java.io.Serial;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A part of the file is not what was written: it does not have its checksum, or no valid form. */
public final class DamagedRowException extends SQLException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * @param part for instance "row 12 of endpoint"
   */
  public DamagedRowException(String part, @Nullable Throwable cause) {
    super(part, cause);
  }
}
