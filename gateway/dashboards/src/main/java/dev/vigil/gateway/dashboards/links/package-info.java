/**
 * Links that show one dashboard to whoever has their token: full-screen pages on a wall. The
 * gateway stores a hash of the token. Each request asks for the present rights of the account that
 * made the link.
 */
@NullMarked
package dev.vigil.gateway.dashboards.links;

import org.jspecify.annotations.NullMarked;
