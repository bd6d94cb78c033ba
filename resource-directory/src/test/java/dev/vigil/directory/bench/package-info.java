@NullMarked
package dev.vigil.directory.bench;

import org.jspecify.annotations.NullMarked;
