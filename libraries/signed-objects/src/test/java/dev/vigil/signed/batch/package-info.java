@NullMarked
package dev.vigil.signed.batch;

import org.jspecify.annotations.NullMarked;
