/** Serves the web page, which is built from {@code src/main/ui} into the jar. */
@NullMarked
package dev.vigil.gateway.page;

import org.jspecify.annotations.NullMarked;
