/** The process an operator runs: wiring, stores, HTTP API and launcher commands. */
@NullMarked
package dev.vigil.gateway;

import org.jspecify.annotations.NullMarked;
