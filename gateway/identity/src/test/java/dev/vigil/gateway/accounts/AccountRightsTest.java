package dev.vigil.gateway.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.access.AccessSettings;
import dev.vigil.gateway.access.DomainAccess;
import dev.vigil.gateway.access.Grants;
import dev.vigil.gateway.access.PolicySettings;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AccountRightsTest {
  private static final Grants IN_PLANT = Grants.of(List.of("viewer:plant"));

  private final DomainAccess access =
      new DomainAccess(
          new AccessSettings(
              true,
              "",
              false,
              Map.of(
                  "plant", new PolicySettings(null, null, null),
                  "office", new PolicySettings(null, List.of("account:ann"), null))),
          _ -> null);
  private final AccountRights rights = new AccountRights(access, new Site().accounts);

  private static Caller caller(String... roles) {
    return new Caller(
        new InetSocketAddress("192.0.2.1", 1),
        true,
        false,
        true,
        new Caller.Account("boss", Set.of(roles)));
  }

  @Test
  void anAccountThatThePolicyOfAnotherDomainNamesNeedsRightsThere() {
    Caller ofPlant = caller("administrator:plant");
    assertThat(rights.mayAdminister(ofPlant, "bob", IN_PLANT)).isTrue();
    assertThat(rights.mayAdminister(ofPlant, "ann", IN_PLANT)).isFalse();
    assertThatThrownBy(() -> rights.require(ofPlant, "ann", IN_PLANT))
        .hasMessageContaining("administrator");
    Caller ofBoth = caller("administrator:plant", "administrator:office");
    assertThat(rights.mayAdminister(ofBoth, "ann", IN_PLANT)).isTrue();
    access.replace("office", new PolicySettings(null, null, null));
    assertThat(rights.mayAdminister(ofPlant, "ann", IN_PLANT)).isTrue();
  }
}
