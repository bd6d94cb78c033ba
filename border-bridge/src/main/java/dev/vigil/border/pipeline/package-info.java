/**
 * The pipeline thread with its bounded task queue, and the counters of dropped frames and packets.
 *
 * <p>Threads: {@code PipelineThread} has one, named "bridge-pipeline"; any thread queues tasks for
 * it. {@code DropCounters} is concurrent.
 */
@NullMarked
package dev.vigil.border.pipeline;

import org.jspecify.annotations.NullMarked;
