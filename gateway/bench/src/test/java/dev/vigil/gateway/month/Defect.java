package dev.vigil.gateway.month;

/** Deliberate defects: the invariants have to catch each of them. */
enum Defect {
  NONE,
  /** An endpoint that is forgotten counts from 0 again. */
  FORGETS_NUMBERS,
  /** A backup is put back as it is, without raising any number. */
  RESTORES_NUMBERS,
  /** Some accepted updates are not kept. */
  LOSES_READINGS,
  /** A mote takes an overloaded gateway's answer for "there is no such command". */
  SKIPS_COMMANDS
}
