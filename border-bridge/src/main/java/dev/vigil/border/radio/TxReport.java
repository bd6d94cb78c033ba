package dev.vigil.border.radio;

/**
 * The outcome of one transmission.
 *
 * @param transmissions how often the frame was transmitted
 */
public record TxReport(TxStatus status, int transmissions) {}
