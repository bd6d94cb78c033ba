package dev.vigil.border.rpl;

/** Reasons why the root ignores a well-formed message. */
public enum RplDrop {
  /** A DIO of another DODAG, or from a node that is not a neighbour. */
  DIO_NOT_OURS,
  /** A DIO of a newer version, too soon after the root has adopted another version. */
  DIO_VERSION_TOO_SOON,
  /** A DAO of another DODAG. */
  DAO_NOT_OURS,
  /** A DAO for another node, without a parent in the mesh, or beyond the table's capacity. */
  DAO_REFUSED
}
