@NullMarked
package dev.vigil.border.cli;

import org.jspecify.annotations.NullMarked;
