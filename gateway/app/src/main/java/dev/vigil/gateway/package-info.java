/** The gateway process: wiring, stores, HTTP API and the commands of the launcher. */
@NullMarked
package dev.vigil.gateway;

import org.jspecify.annotations.NullMarked;
