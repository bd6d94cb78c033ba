@NullMarked
package dev.vigil.gateway.store.jetstream.messages;

import org.jspecify.annotations.NullMarked;
