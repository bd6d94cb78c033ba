package dev.vigil.mirror.read;

import dev.vigil.mirror.model.TrustState;

/** What lists of endpoints are filtered by; cheaper than a view. */
public record Standing(TrustState trust, Freshness freshness) {}
