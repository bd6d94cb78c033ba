@NullMarked
package dev.vigil.gateway.cli.diagnostics;

import org.jspecify.annotations.NullMarked;
