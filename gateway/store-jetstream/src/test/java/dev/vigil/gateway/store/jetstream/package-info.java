@NullMarked
package dev.vigil.gateway.store.jetstream;

import org.jspecify.annotations.NullMarked;
