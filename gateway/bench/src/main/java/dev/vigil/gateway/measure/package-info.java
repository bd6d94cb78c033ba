/** The command line of {@code ./vigil bench} and {@code ./vigil evaluate}. One thread. */
@NullMarked
package dev.vigil.gateway.measure;

import org.jspecify.annotations.NullMarked;
