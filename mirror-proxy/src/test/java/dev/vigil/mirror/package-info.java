@NullMarked
package dev.vigil.mirror;

import org.jspecify.annotations.NullMarked;
