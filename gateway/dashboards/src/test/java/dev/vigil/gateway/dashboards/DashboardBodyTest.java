package dev.vigil.gateway.dashboards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.problems.ProblemException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** Dashboards in requests: what they mean, and the member that a refusal names. */
class DashboardBodyTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

  private static Dashboard read(String members) {
    return JSON.readValue("{" + members.replace('\'', '"') + "}", DashboardBodyJson.class)
        .dashboard("hall", NOW);
  }

  private static String tile(String id, String members) {
    return "{'id':'" + id + "','x':0,'y':0,'w':3,'h':2," + members + "}";
  }

  @Test
  void missingMembersHaveDefaults() {
    assertThat(read("")).isEqualTo(new Dashboard("hall", null, List.of(), NOW));
    Dashboard nameless = read("'d':'-','name':' Hall 3 '");
    assertThat(nameless.name()).isEqualTo("Hall 3");
    assertThat(nameless.covers("")).isTrue();
    assertThat(nameless.covers("plant")).isFalse();
    assertThat(read("").covers("plant")).isTrue();
  }

  @Test
  void aStoredDashboardIsReadUnchanged() {
    Dashboard dashboard =
        read(
            "'d':'plant','tiles':["
                + tile("a", "'kind':'value','sources':[{'endpoint':'1','path':'temp'}]")
                + ","
                + tile("b", "'kind':'chart','span':'7d','sources':[{'endpoint':'1','path':'t'}]")
                + ","
                + tile("c", "'kind':'text','text':'one\\ntwo','title':'Note'")
                + "]");
    assertThat(JSON.readValue(JSON.writeValueAsString(dashboard), Dashboard.class))
        .isEqualTo(dashboard);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "'kind':'text'                                     | tiles[0].text: is missing",
        "'kind':'mesh','text':'x'                          | tiles[0].text: does not apply to this kind",
        "'kind':'text','text':'a\\u0007'                   | tiles[0].text: holds a character that is not shown",
        "'kind':'value'                                    | tiles[0].sources: is missing",
        "'kind':'value','sources':[{'endpoint':'1'}]       | tiles[0].sources[0].path: is missing",
        "'kind':'value','sources':[{'endpoint':'a/b','path':'t'}] | tiles[0].sources[0].endpoint: is no id of an endpoint",
        "'kind':'state','sources':[{'endpoint':'1','path':'t'}] | tiles[0].sources[0].path: does not apply to this kind",
        "'kind':'state','sources':[{'endpoint':'1'},{'endpoint':'2'}] | tiles[0].sources: has more than 1 items for a tile of this kind",
        "'kind':'chart','sources':[{'endpoint':'1','path':'t'}] | tiles[0].span: is missing",
        "'kind':'tag'                                      | tiles[0].tag: is missing",
        "'title':'x'                                       | tiles[0].kind: is missing",
      })
  void aFaultOfATileNamesItsMember(String members, String fault) {
    assertThatThrownBy(() -> read("'tiles':[" + tile("a", members) + "]"))
        .isInstanceOf(ProblemException.class)
        .hasMessage(fault);
  }

  @Test
  void faultsOfPlacesAndNumbersNameTheirMembers() {
    assertThatThrownBy(() -> read("'tiles':[{'id':'a','kind':'mesh','x':10,'y':0,'w':3,'h':1}]"))
        .hasMessage("tiles[0].w: takes 1 to 2");
    assertThatThrownBy(() -> read("'tiles':[{'id':'a','kind':'mesh','y':0,'w':3,'h':1}]"))
        .hasMessage("tiles[0].x: is missing");
    String mesh = tile("a", "'kind':'mesh'");
    assertThatThrownBy(() -> read("'tiles':[" + mesh + "," + mesh + "]"))
        .hasMessage("tiles[1].id: is the id of an earlier tile");
    String many =
        IntStream.range(0, 41)
            .mapToObj(i -> tile("t" + i, "'kind':'mesh'"))
            .collect(Collectors.joining(","));
    assertThatThrownBy(() -> read("'tiles':[" + many + "]"))
        .hasMessage("tiles: has more than 40 items");
    assertThatThrownBy(() -> read("'d':'.every'"))
        .hasMessage("d: begins with a dot, as reserved names do");
    assertThatThrownBy(() -> read("'name':'" + "x".repeat(101) + "'"))
        .hasMessage("name: has more than 100 characters");
  }
}
