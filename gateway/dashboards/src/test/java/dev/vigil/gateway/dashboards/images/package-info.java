@NullMarked
package dev.vigil.gateway.dashboards.images;

import org.jspecify.annotations.NullMarked;
