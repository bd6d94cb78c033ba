package dev.vigil.border.radio;

/**
 * What became of one frame.
 *
 * @param status how it ended
 * @param transmissions how often it went on the air
 */
public record TxReport(TxStatus status, int transmissions) {}
