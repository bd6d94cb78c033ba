package dev.vigil.border.radio;

/**
 * The outcome of one transmission.
 *
 * @param transmissions the number of transmissions of the frame
 */
public record TxReport(TxStatus status, int transmissions) {}
