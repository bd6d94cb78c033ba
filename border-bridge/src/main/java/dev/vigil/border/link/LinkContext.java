package dev.vigil.border.link;

import dev.vigil.border.capture.Captures;
import dev.vigil.border.config.MeshConfig;
import dev.vigil.border.pipeline.DropCounters;
import dev.vigil.border.pipeline.PipelineThread;
import java.time.Clock;

/** The parts that all link ports of a bridge share. */
public record LinkContext(
    MeshConfig mesh,
    LinkSecurityState security,
    NeighbourTable neighbours,
    LastHopTable lastHops,
    IpsecSavings savings,
    WholeSequences sequences,
    Captures captures,
    DropCounters drops,
    PipelineThread pipeline,
    Clock clock) {}
