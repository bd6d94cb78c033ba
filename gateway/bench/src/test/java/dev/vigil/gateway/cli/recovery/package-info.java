@NullMarked
package dev.vigil.gateway.cli.recovery;

import org.jspecify.annotations.NullMarked;
