package dev.vigil.gateway.evaluate;

import java.util.Arrays;
import java.util.List;

/** The simulated processors, and the clock that times are computed with. */
enum Processor {
  /** Instructions instead of cycles: times are lower bounds. */
  CORTEX_M3(
      "Cortex-M3", "ports/cortex-m", EmulatedMotes.INSTRUCTIONS_PER_MILLI, "cortex-m/evaluate.elf"),
  /**
   * Of the Tmote Sky, on which Raza, Bagci, Alharby and the thesis measured, with Contiki's clock.
   */
  MSP430F1611("MSP430F1611", "ports/msp430", 3900, "msp430/evaluate.elf"),
  /** Of the Arduino Mega 2560, on which Sethi measured. */
  ATMEGA2560("ATmega2560", "ports/avr", 16_000, "avr/evaluate.elf avr/signatures.elf");

  final String label;
  final String port;
  private final double costPerMilli;

  /** Separated by blanks. */
  private final String images;

  Processor(String label, String port, double costPerMilli, String images) {
    this.label = label;
    this.port = port;
    this.costPerMilli = costPerMilli;
    this.images = images;
  }

  /** The images that measure it, as targets of make. */
  List<String> images() {
    return Arrays.stream(images.split(" ")).map(image -> "build/" + image).toList();
  }

  /**
   * @param cost cycles; instructions on the Cortex-M3
   */
  double millis(double cost) {
    return cost / costPerMilli;
  }
}
