@NullMarked
package dev.vigil.gateway.diagnostics;

import org.jspecify.annotations.NullMarked;
