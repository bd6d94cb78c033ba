@NullMarked
package dev.vigil.gateway.dashboards;

import org.jspecify.annotations.NullMarked;
