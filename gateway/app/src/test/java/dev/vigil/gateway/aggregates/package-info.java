@NullMarked
package dev.vigil.gateway.aggregates;

import org.jspecify.annotations.NullMarked;
