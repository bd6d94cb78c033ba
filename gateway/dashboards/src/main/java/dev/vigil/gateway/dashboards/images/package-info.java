/** The images of floor plans: their formats, and the records that store them. Thread-safe. */
@NullMarked
package dev.vigil.gateway.dashboards.images;

import org.jspecify.annotations.NullMarked;
