@NullMarked
package dev.vigil.signed.senml;

import org.jspecify.annotations.NullMarked;
