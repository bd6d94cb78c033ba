@NullMarked
package dev.vigil.gateway.store;

import org.jspecify.annotations.NullMarked;
