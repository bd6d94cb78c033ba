@NullMarked
package dev.vigil.mirror.senml;

import org.jspecify.annotations.NullMarked;
