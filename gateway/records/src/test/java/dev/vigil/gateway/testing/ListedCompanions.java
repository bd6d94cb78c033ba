package dev.vigil.gateway.testing;

import dev.vigil.gateway.store.CompanionFiles;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/** The names of companions, without a database. */
public final class ListedCompanions implements CompanionFiles.Names {
  private final Set<String> names = new HashSet<>();

  /** The companions in a folder, none of which is listed yet. */
  public static CompanionFiles in(Path folder) {
    return new CompanionFiles(folder, new ListedCompanions());
  }

  @Override
  public boolean contains(String name) {
    return names.contains(name);
  }

  @Override
  public void add(String name) {
    names.add(name);
  }
}
