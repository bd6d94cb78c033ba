package dev.vigil.gateway.store.jetstream;

/**
 * Notified when the servers have lost data, of its repair, and when the store cannot go on. Called
 * on threads of the store; must not block.
 */
public interface RepairLog {
  /** Ignores everything; the store also writes log lines. */
  RepairLog NONE =
      new RepairLog() {
        @Override
        public void lost(String reason) {}

        @Override
        public void repaired(Repaired counts) {}

        @Override
        public void ended(String reason) {}
      };

  /**
   * The stream does not continue this gateway's replica, or the replica is damaged. An open store
   * no longer writes; opening it again repairs the stream.
   */
  void lost(String reason);

  /** The stream has again what this gateway had. Called for each replica that was set aside. */
  void repaired(Repaired counts);

  /** An open store no longer writes, because of a loss or another fault. Its process must end. */
  void ended(String reason);

  /**
   * The result of a repair.
   *
   * @param lost changes that this gateway had and the stream lacked
   * @param stored changes that this gateway has stored again; another gateway may store the others
   * @param overtaken values of histories that stay in the file that was set aside, because the
   *     stream has newer ones
   * @param damaged whether the replica was damaged; its damaged rows stay in the file too
   */
  record Repaired(long lost, long stored, long overtaken, boolean damaged) {
    /** Both repairs together. */
    public Repaired plus(Repaired other) {
      return new Repaired(
          lost + other.lost,
          stored + other.stored,
          overtaken + other.overtaken,
          damaged || other.damaged);
    }

    /** Whether the file that was set aside has content that the stream does not have. */
    boolean isIncomplete() {
      return overtaken > 0 || damaged;
    }
  }
}
