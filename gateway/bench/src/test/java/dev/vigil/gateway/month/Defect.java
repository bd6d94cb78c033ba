package dev.vigil.gateway.month;

/** Deliberate defects: the invariants have to catch each of them. */
enum Defect {
  NONE,
  /** An endpoint that is forgotten counts from 0 again. */
  FORGETS_NUMBERS,
  /** A backup is put back as it is, without raising any number. */
  RESTORES_NUMBERS,
  /** The gateway's counters of AH and ESP start again as in its first run. */
  FORGETS_COUNTERS,
  /** A mote that starts finds its flash as it was at its start before. */
  REPEATS_NUMBERS,
  /** A mote acknowledges commands that it does not carry out. */
  CONFIRMS_UNDONE,
  /** No operator approves a key. */
  NEVER_APPROVES,
  /** Some accepted updates are not kept. */
  LOSES_READINGS,
  /** An update is acknowledged though the store could not write it. */
  ANSWERS_UNSTORED,
  /** A mote takes an overloaded gateway's answer for "there is no such command". */
  SKIPS_COMMANDS,
  /** The rights of an event stream's reader are decided once, when the stream begins. */
  STREAM_DECIDES_ONCE,
  /** The rights of an observer are decided once, when the observation begins. */
  OBSERVATION_DECIDES_ONCE
}
