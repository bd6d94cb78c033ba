@NullMarked
package dev.vigil.gateway.webpush;

import org.jspecify.annotations.NullMarked;
