/**
 * Apache Kafka: CloudEvents in one topic, in the structured form of the CloudEvents Kafka binding.
 * The key of a record is the endpoint's id, so that events of one endpoint stay in order.
 *
 * <p>Threads: a destination's own thread sends and waits for the acknowledgements; the client keeps
 * a thread of its own for each connection.
 */
@NullMarked
package dev.vigil.gateway.northbound.kafka;

import org.jspecify.annotations.NullMarked;
