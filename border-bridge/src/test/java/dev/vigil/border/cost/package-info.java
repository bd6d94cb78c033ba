@NullMarked
package dev.vigil.border.cost;

import org.jspecify.annotations.NullMarked;
