package dev.vigil.gateway.store.sqlite.rows;

import java.sql.SQLException;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.migration.Context;
import org.flywaydb.core.api.migration.JavaMigration;

/** Data format 7: rows have checksums, which SQL cannot compute. */
public final class ChecksumMigration implements JavaMigration {
  @Override
  public MigrationVersion getVersion() {
    return MigrationVersion.fromVersion(Integer.toString(CheckedTables.SINCE));
  }

  @Override
  public String getDescription() {
    return "checksums";
  }

  @Override
  public Integer getChecksum() {
    return 1;
  }

  @Override
  public boolean canExecuteInTransaction() {
    return true;
  }

  @Override
  public void migrate(Context context) throws SQLException {
    CheckedTables.addColumns(context.getConnection());
    CheckedTables.renew(context.getConnection());
  }
}
