@NullMarked
package dev.vigil.mirror.jose;

import org.jspecify.annotations.NullMarked;
