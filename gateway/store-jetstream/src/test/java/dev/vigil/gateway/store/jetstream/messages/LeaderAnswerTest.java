package dev.vigil.gateway.store.jetstream.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.nats.client.api.StreamInfo;
import io.nats.client.support.JsonParseException;
import io.nats.client.support.JsonParser;
import org.junit.jupiter.api.Test;

/** Answers of nats-server 2.15.1 while two of three servers are killed, one after the other. */
class LeaderAnswerTest {
  private static boolean hasMajority(int copies, String cluster) throws JsonParseException {
    String answer =
        """
        {"config": {"name": "vigil", "subjects": ["vigil.>"], "num_replicas": %d},
         "created": "2026-11-28T01:43:20.836Z", "state": {"messages": 5, "last_seq": 5}%s}
        """;
    return LeaderAnswer.hasMajority(
        new StreamInfo(JsonParser.parse(answer.formatted(copies, cluster))));
  }

  private static boolean hasMajority(String cluster) throws JsonParseException {
    return hasMajority(3, cluster);
  }

  @Test
  void aLeaderWithAMajorityIsBelieved() throws JsonParseException {
    assertThat(
            hasMajority(
                """
                , "cluster": {"name": "vigil", "leader": "n0", "replicas": [
                  {"name": "n1", "current": true, "active": 476445, "peer": "fjFyEjc1"},
                  {"name": "n2", "current": false, "active": 1138790, "lag": 1, "peer": "44jzkV9D"}]}
                """))
        .isTrue();
    assertThat(
            hasMajority(
                """
                , "cluster": {"name": "vigil", "leader": "n2", "replicas": [
                  {"name": "n0", "current": true, "active": 7010574402, "peer": "6DVFpukC"},
                  {"name": "n1", "current": true, "active": 10681696, "peer": "fjFyEjc1"}]}
                """))
        .isTrue();
  }

  @Test
  void aLeaderThatReachesNoOtherServerIsNotBelieved() throws JsonParseException {
    assertThat(
            hasMajority(
                """
                , "cluster": {"name": "vigil", "leader": "n2", "replicas": [
                  {"name": "n0", "current": true, "active": 9011850411, "peer": "6DVFpukC"},
                  {"name": "n1", "current": true, "active": 6015044588, "peer": "fjFyEjc1"}]}
                """))
        .isFalse();
  }

  @Test
  void aServerThatNamesNoLeaderIsNotBelieved() throws JsonParseException {
    assertThat(
            hasMajority(
                """
                , "cluster": {"name": "vigil", "replicas": [
                  {"name": "n0", "current": false, "active": 0, "peer": "6DVFpukC"},
                  {"name": "n1", "current": false, "active": 0, "peer": "fjFyEjc1"},
                  {"name": "n2", "current": true, "active": 1019844987, "peer": "44jzkV9D"}]}
                """))
        .isFalse();
    assertThat(hasMajority("")).isFalse();
  }

  @Test
  void theOnlyCopyIsItsOwnMajority() throws JsonParseException {
    assertThat(hasMajority(1, "")).isTrue();
    assertThat(hasMajority(1, ", \"cluster\": {\"name\": \"vigil\", \"leader\": \"n0\"}")).isTrue();
  }
}
