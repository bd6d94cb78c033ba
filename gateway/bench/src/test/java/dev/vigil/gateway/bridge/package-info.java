@NullMarked
package dev.vigil.gateway.bridge;

import org.jspecify.annotations.NullMarked;
