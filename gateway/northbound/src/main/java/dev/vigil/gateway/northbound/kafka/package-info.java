/**
 * Apache Kafka: CloudEvents in one topic, in the structured form of the CloudEvents Kafka binding.
 * The key of a record is the endpoint's id, which keeps the events of an endpoint in order.
 *
 * <p>Threads: a destination's own thread sends and waits for the acknowledgements. The client has a
 * separate thread for each connection.
 */
@NullMarked
package dev.vigil.gateway.northbound.kafka;

import org.jspecify.annotations.NullMarked;
