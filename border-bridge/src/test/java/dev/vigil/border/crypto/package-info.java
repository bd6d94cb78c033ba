@NullMarked
package dev.vigil.border.crypto;

import org.jspecify.annotations.NullMarked;
