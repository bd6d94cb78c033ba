@NullMarked
package dev.vigil.gateway.config;

import org.jspecify.annotations.NullMarked;
