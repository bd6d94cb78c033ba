@NullMarked
package dev.vigil.gateway.cluster;

import org.jspecify.annotations.NullMarked;
