/** How fast the bridge's codecs are. */
@NullMarked
package dev.vigil.border.bench;

import org.jspecify.annotations.NullMarked;
