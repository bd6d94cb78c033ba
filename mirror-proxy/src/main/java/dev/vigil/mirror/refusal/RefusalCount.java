package dev.vigil.mirror.refusal;

/**
 * One counter of refused requests.
 *
 * @param id of the endpoint that the requests addressed; empty if there is none
 * @param count since the start of the process
 */
public record RefusalCount(Reason reason, String id, long count) {}
