package dev.vigil.gateway.northbound.messages;

import java.util.List;

/** The destinations of one kind that take single events. */
@FunctionalInterface
public interface EventSinks {
  List<EventSink> eventSinks();
}
