@NullMarked
package dev.vigil.gateway.export;

import org.jspecify.annotations.NullMarked;
