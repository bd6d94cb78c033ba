/**
 * Records: facts about objects of the gateway itself, such as accounts, alarms and settings. The
 * store port keeps them under one reserved endpoint name for each kind ({@code .records/KIND}) and
 * one slot for each record ({@code record/ID}), so several gateways can share them.
 *
 * <p>Threads: any thread may read and write. A {@link dev.vigil.gateway.records.RecordSet} is a
 * projection that the store's feed thread updates; it calls listeners on that thread, under the
 * set's lock. Only one batch of a kind is in flight at a time; changes that arrive meanwhile share
 * the next batch.
 */
@ApplicationModule(allowedDependencies = {"problems"})
@NullMarked
package dev.vigil.gateway.records;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
