/** The resource directory of RFC 9176. */
@NullMarked
package dev.vigil.directory;

import org.jspecify.annotations.NullMarked;
