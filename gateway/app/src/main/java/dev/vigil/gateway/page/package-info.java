/** Serves the web page, which is built from {@code web-ui} into the jar. */
@NullMarked
package dev.vigil.gateway.page;

import org.jspecify.annotations.NullMarked;
