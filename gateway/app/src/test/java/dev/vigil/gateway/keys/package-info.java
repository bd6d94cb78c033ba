@NullMarked
package dev.vigil.gateway.keys;

import org.jspecify.annotations.NullMarked;
