@NullMarked
package dev.vigil.border.ipv6;

import org.jspecify.annotations.NullMarked;
