/** The mirror proxy: answers for sleepy endpoints with what they signed. */
@NullMarked
package dev.vigil.mirror;

import org.jspecify.annotations.NullMarked;
