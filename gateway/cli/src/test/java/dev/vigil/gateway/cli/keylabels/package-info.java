@NullMarked
package dev.vigil.gateway.cli.keylabels;

import org.jspecify.annotations.NullMarked;
