@NullMarked
package dev.vigil.border.associations;

import org.jspecify.annotations.NullMarked;
