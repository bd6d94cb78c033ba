@NullMarked
package dev.vigil.border.sixlowpan;

import org.jspecify.annotations.NullMarked;
