/**
 * Registrations: what an endpoint told the directory about itself (RFC 9176 section 5), how it is
 * kept, and the resources that take it.
 */
@NullMarked
package dev.vigil.directory.registration;

import org.jspecify.annotations.NullMarked;
