@NullMarked
package dev.vigil.gateway.records;

import org.jspecify.annotations.NullMarked;
