@NullMarked
package dev.vigil.border.wire;

import org.jspecify.annotations.NullMarked;
