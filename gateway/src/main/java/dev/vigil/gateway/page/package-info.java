/** The web page, built from {@code src/main/ui} into the jar. */
@NullMarked
package dev.vigil.gateway.page;

import org.jspecify.annotations.NullMarked;
