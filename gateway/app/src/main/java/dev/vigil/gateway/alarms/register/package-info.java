/**
 * All alarms, and their consumers: event streams, metrics, destinations.
 *
 * <p>Threads: the store's feed thread applies changes of records to {@link
 * dev.vigil.gateway.alarms.register.AlarmRegister}, whose indexes are guarded by its monitor.
 */
@NullMarked
package dev.vigil.gateway.alarms.register;

import org.jspecify.annotations.NullMarked;
