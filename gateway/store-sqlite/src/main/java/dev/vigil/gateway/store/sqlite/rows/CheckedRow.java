package dev.vigil.gateway.store.sqlite.rows;

/** A row of a table whose rows have checksums. */
interface CheckedRow {
  /** The column {@code crc}: the checksum of the other columns. */
  long checksum();
}
