@NullMarked
package dev.vigil.gateway.cost;

import org.jspecify.annotations.NullMarked;
