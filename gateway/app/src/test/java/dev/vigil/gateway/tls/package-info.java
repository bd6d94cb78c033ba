@NullMarked
package dev.vigil.gateway.tls;

import org.jspecify.annotations.NullMarked;
