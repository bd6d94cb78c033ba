/** The contents of tiles, sparklines of endpoints, and the events about their changes. */
@NullMarked
package dev.vigil.gateway.dashboards.contents;

import org.jspecify.annotations.NullMarked;
