@NullMarked
package dev.vigil.mirror.trust;

import org.jspecify.annotations.NullMarked;
