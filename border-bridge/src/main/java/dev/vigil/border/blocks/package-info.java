/**
 * The blocks that motes store and send as ESP packets (docs/protocol.md section 12): pure
 * functions.
 */
@NullMarked
package dev.vigil.border.blocks;

import org.jspecify.annotations.NullMarked;
