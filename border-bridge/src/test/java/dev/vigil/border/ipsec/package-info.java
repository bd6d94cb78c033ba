@NullMarked
package dev.vigil.border.ipsec;

import org.jspecify.annotations.NullMarked;
