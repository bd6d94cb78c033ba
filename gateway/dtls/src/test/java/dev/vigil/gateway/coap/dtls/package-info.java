@NullMarked
package dev.vigil.gateway.coap.dtls;

import org.jspecify.annotations.NullMarked;
