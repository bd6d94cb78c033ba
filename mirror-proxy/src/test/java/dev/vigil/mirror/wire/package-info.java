@NullMarked
package dev.vigil.mirror.wire;

import org.jspecify.annotations.NullMarked;
