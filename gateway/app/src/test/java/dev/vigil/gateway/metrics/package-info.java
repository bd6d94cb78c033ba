@NullMarked
package dev.vigil.gateway.metrics;

import org.jspecify.annotations.NullMarked;
