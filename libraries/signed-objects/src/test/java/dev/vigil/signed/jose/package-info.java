@NullMarked
package dev.vigil.signed.jose;

import org.jspecify.annotations.NullMarked;
