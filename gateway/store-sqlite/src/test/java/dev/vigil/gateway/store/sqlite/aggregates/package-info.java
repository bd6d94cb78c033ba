@NullMarked
package dev.vigil.gateway.store.sqlite.aggregates;

import org.jspecify.annotations.NullMarked;
