/** {@code ./vigil verify}: verifies an archive without a gateway. Runs on {@code main}. */
@NullMarked
package dev.vigil.gateway.cli.verify;

import org.jspecify.annotations.NullMarked;
