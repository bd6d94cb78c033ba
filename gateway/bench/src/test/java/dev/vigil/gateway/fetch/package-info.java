@NullMarked
package dev.vigil.gateway.fetch;

import org.jspecify.annotations.NullMarked;
