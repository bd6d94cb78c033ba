package dev.vigil.mirror.read;

import dev.vigil.mirror.model.keys.TrustState;

/** Fields by which lists of endpoints are filtered; cheaper than a view. */
public record Standing(TrustState trust, Freshness freshness) {}
