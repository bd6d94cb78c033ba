@NullMarked
package dev.vigil.border.blocks;

import org.jspecify.annotations.NullMarked;
