/**
 * Records: facts about things of the gateway itself, such as accounts, alarms and settings. They
 * are kept in the store port, one reserved endpoint name for each kind ({@code .records/KIND}) and
 * one slot for each record ({@code record/ID}), so that several gateways can share them.
 *
 * <p>Threads: any thread may read and write. A {@link dev.vigil.gateway.records.RecordSet} is a
 * projection that the store's feed thread updates; it calls listeners on that thread, under the
 * set's lock. One batch of a kind is on its way at a time; changes that come meanwhile share the
 * next one.
 */
@ApplicationModule(allowedDependencies = {"problems"})
@NullMarked
package dev.vigil.gateway.records;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
