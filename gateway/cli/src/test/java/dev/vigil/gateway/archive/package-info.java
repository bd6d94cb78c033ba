@NullMarked
package dev.vigil.gateway.archive;

import org.jspecify.annotations.NullMarked;
