package dev.vigil.gateway.evaluate.tables;

/** How one of our figures was obtained. */
public enum How {
  /** Octets of frames, packets, files or linked images. */
  COUNTED("counted octets"),
  /** Instructions of an emulated Cortex-M3. */
  EMULATED("emulated instructions"),
  /** Cycles of a simulated MSP430F1611 or ATmega2560. */
  SIMULATED("simulated cycles"),
  /** The real stacks on the air of a virtual radio, in virtual time. */
  VIRTUAL_RADIO("virtual radio"),
  /** The cost model of dev.vigil.border.cost. */
  MODEL("model");

  final String label;

  How(String label) {
    this.label = label;
  }
}
