package dev.vigil.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.coap.exchange.Access;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GrantsTest {
  private static Grants grants(String... texts) {
    return Grants.of(Set.of(texts));
  }

  @Test
  void aRoleIsForAllDomainsOrForOne() {
    assertThat(grants("viewer").role("plant")).isEqualTo(Role.VIEWER);
    assertThat(grants("viewer").role(Access.EVERY_DOMAIN)).isEqualTo(Role.VIEWER);
    assertThat(grants("viewer:plant").role("office")).isNull();
    assertThat(grants("viewer:-").role("")).isEqualTo(Role.VIEWER);
    assertThat(grants("viewer", "operator:a:b").role("a:b")).isEqualTo(Role.OPERATOR);
    assertThat(grants("operator:-", "viewer", "administrator:plant").texts())
        .containsExactly("administrator:plant", "operator:-", "viewer");
  }

  @Test
  void theStrongestOfSeveralRolesApplies() {
    assertThat(Grants.of(List.of("viewer:a", "operator:a", "viewer:a")).role("a"))
        .isEqualTo(Role.OPERATOR);
    assertThat(grants("operator", "viewer:a").role("a")).isEqualTo(Role.OPERATOR);
  }

  @Test
  void malformedRolesAreRefusedWithAnExplanation() {
    for (String wrong : new String[] {"", "root", "Viewer", "viewer:", "viewer:.every", ":a"}) {
      assertThatThrownBy(() -> grants(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageMatching("a role is .*|a domain follows .*");
    }
  }

  @Test
  void grantsIncludeWhatTheyPermit() {
    assertThat(Grants.ALL.include(grants("viewer:a", "operator"))).isTrue();
    assertThat(grants("operator:a").include(grants("viewer:a"))).isTrue();
    assertThat(grants("operator:a").include(grants("viewer:b"))).isFalse();
    assertThat(grants("administrator:a").include(grants("viewer"))).isFalse();
    assertThat(grants("viewer").include(grants("operator:a"))).isFalse();
    assertThat(grants("viewer").include(Grants.NONE)).isTrue();
  }

  @Test
  void aTokenHasNoMoreThanItsAccount() {
    assertThat(grants("operator:a", "viewer:b").and(grants("administrator")).texts())
        .containsExactly("operator:a", "viewer:b");
    assertThat(grants("viewer").and(grants("operator:a")).texts()).containsExactly("viewer:a");
    assertThat(grants("viewer:a").and(grants("viewer:b")).texts()).isEmpty();
  }
}
