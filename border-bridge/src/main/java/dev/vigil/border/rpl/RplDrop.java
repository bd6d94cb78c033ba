package dev.vigil.border.rpl;

/** Why the root did not act on a message that was whole. */
public enum RplDrop {
  /** A DIO of another DODAG, or one that came from further away than a neighbour. */
  DIO_NOT_OURS,
  /** A DIO of a newer version than ours, just after we went above another such. */
  DIO_VERSION_TOO_SOON,
  /** A DAO of another DODAG. */
  DAO_NOT_OURS,
  /** A DAO for another node, without a parent of the mesh, or one too many. */
  DAO_REFUSED
}
