@NullMarked
package dev.vigil.gateway.http;

import org.jspecify.annotations.NullMarked;
