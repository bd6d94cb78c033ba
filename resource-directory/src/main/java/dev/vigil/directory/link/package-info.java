/**
 * Web links as constrained devices write them (RFC 6690) and the references in them (RFC 3986).
 * Pure: text to values and back.
 */
@NullMarked
package dev.vigil.directory.link;

import org.jspecify.annotations.NullMarked;
