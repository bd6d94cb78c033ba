@NullMarked
package dev.vigil.border.ieee802154;

import org.jspecify.annotations.NullMarked;
