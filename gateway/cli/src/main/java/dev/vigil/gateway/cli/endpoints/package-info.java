/** {@code ./vigil endpoints}: lists the endpoints of a running gateway. Runs on {@code main}. */
@NullMarked
package dev.vigil.gateway.cli.endpoints;

import org.jspecify.annotations.NullMarked;
