/**
 * The browsers that accounts have subscribed, as records, and the destination that delivers alarms
 * to them. Each sending checks the present rights of the account.
 */
@NullMarked
package dev.vigil.gateway.webpush.browsers;

import org.jspecify.annotations.NullMarked;
