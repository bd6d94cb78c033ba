package dev.vigil.gateway.network;

import org.jspecify.annotations.Nullable;

/**
 * A thing of the network as one sample has it.
 *
 * @param d domain whose readers may see it; null: operators of the gateway only
 * @param state a change of it is published at once
 * @param figures a change of them is published after some time
 * @param data of the event
 * @param gone data of the event that reports its removal; null: none does
 */
record SampledThing(
    Key key, @Nullable String d, Object state, Object figures, Object data, @Nullable Object gone) {

  /**
   * @param event name of its event
   * @param id among the things with that event
   */
  record Key(String event, String id) {}
}
