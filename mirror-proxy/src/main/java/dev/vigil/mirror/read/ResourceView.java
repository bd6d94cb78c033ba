package dev.vigil.mirror.read;

import dev.vigil.mirror.control.ResourceControl;
import dev.vigil.mirror.read.history.ValueMark;
import dev.vigil.signed.senml.SenmlValue;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One mirrored resource as an operator sees it. Members are null if the endpoint did not supply
 * them or has not sent a value.
 *
 * @param path below {@code /ms/{id}/}, percent-encoded
 * @param type {@code rt} of its link
 * @param name resolved SenML name of the last measurement
 * @param unit of the last measurement
 * @param value of the last measurement; null if it has only a sum
 * @param sum of the last measurement
 * @param writable whether it accepts commands. The last command that the endpoint confirmed, or
 *     refused with 404, decides; without one, its link does
 * @param control the form of the values that commands give to it
 * @param seq the sequence number of the value; 0 before the first
 */
public record ResourceView(
    String path,
    @Nullable String type,
    @Nullable String name,
    @Nullable String unit,
    @Nullable SenmlValue value,
    @Nullable Double sum,
    boolean writable,
    ResourceControl control,
    long seq,
    @Nullable Instant arrived,
    Set<ValueMark> marks) {}
