package dev.vigil.gateway.access;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The principals that the settings of a domain permit; see {@link DomainPolicy}. Null means the
 * default.
 */
public record PolicySettings(
    @Nullable List<String> register, @Nullable List<String> read, @Nullable List<String> command) {}
