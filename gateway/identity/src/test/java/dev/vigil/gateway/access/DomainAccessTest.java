package dev.vigil.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.settings.InvalidSettingException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** The decisions for each identity, action and domain. */
class DomainAccessTest {
  private static final String KEY = "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs";

  /** The settings in the form that the gateway binds. */
  record Settings(
      @DefaultValue("false") boolean anonymousRead,
      @DefaultValue Map<String, PolicySettings> domains,
      @DefaultValue PolicySettings defaultDomain) {}

  private static DomainAccess access(String... settings) {
    Map<String, String> properties = new HashMap<>();
    for (String setting : settings) {
      String[] parts = setting.split("=", 2);
      properties.put("vigil." + parts[0], parts[1]);
    }
    Settings bound =
        new Binder(new MapConfigurationPropertySource(properties))
            .bindOrCreate("vigil", Settings.class);
    Map<String, PolicySettings> domains = new HashMap<>(bound.domains());
    domains.put("", bound.defaultDomain());
    return new DomainAccess(
        new AccessSettings(true, "", bound.anonymousRead(), domains),
        labels -> labels.contains("psk:ann-1") ? Grants.of(Set.of("viewer:plant")) : null);
  }

  private static String decide(
      Access access, Caller.Identity identity, Action action, String domain) {
    InetSocketAddress source = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    return switch (access.decide(new Caller(source, true, true, identity), action, domain)) {
      case Access.Allowed() -> "allowed";
      case Access.Refused refused -> refused.code().dotted();
    };
  }

  private static Caller.Identity identity(String label) {
    return switch (label) {
      case "nobody" -> new Caller.Anonymous();
      case "psk" -> new Caller.PreSharedKey("node-7");
      case "key" -> new Caller.RawKey(KEY);
      case "cert" ->
          new Caller.Certificate("CN=authority", Set.of("CN:reader", "DNS:reader.example"));
      case "account" -> new Caller.Account("ann", Set.of());
      case "operator" -> new Caller.Account("operator", Grants.ALL.texts());
      default -> new Caller.Account("bob", Set.of(label));
    };
  }

  @ParameterizedTest
  @CsvSource({
    // identity, register, read, command, administer, with the defaults of run
    "nobody,   allowed, 4.01, 4.01, 4.01",
    "psk,      allowed, allowed, allowed, 4.03",
    "key,      allowed, 4.03, 4.03, 4.03",
    "cert,     allowed, allowed, allowed, 4.03",
    "account,  allowed, 4.03, 4.03, 4.03",
    "viewer,   allowed, allowed, 4.03, 4.03",
    "operator, allowed, allowed, allowed, allowed",
  })
  void byDefaultReadingAndCommandingNeedAnIdentity(
      String identity, String register, String read, String command, String administer) {
    DomainAccess access = access();
    for (String domain : new String[] {"", "unheard-of"}) {
      assertThat(decide(access, identity(identity), Action.REGISTER, domain)).isEqualTo(register);
      assertThat(decide(access, identity(identity), Action.READ, domain)).isEqualTo(read);
      assertThat(decide(access, identity(identity), Action.LOOK_UP, domain)).isEqualTo(read);
      assertThat(decide(access, identity(identity), Action.COMMAND, domain)).isEqualTo(command);
      assertThat(decide(access, identity(identity), Action.ADMINISTER, domain))
          .isEqualTo(administer);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "nobody,   4.01, allowed, 4.01",
    "psk,      4.03, allowed, allowed",
    "key,      allowed, allowed, 4.03",
    "cert,     4.03, allowed, allowed",
    "operator, allowed, allowed, allowed",
  })
  void aDomainOverridesTheDefaults(String identity, String register, String read, String command) {
    DomainAccess access =
        access(
            "domains.plant.register=rpk:" + KEY,
            "domains.plant.read=anyone",
            "domains.plant.command[0]=psk:node-7",
            "domains.plant.command[1]=cert:DNS:reader.example");
    assertThat(decide(access, identity(identity), Action.REGISTER, "plant")).isEqualTo(register);
    assertThat(decide(access, identity(identity), Action.READ, "plant")).isEqualTo(read);
    assertThat(decide(access, identity(identity), Action.COMMAND, "plant")).isEqualTo(command);
    assertThat(decide(access, new Caller.Anonymous(), Action.READ, "other")).isEqualTo("4.01");
  }

  @ParameterizedTest
  @CsvSource({
    // identity, read, command, operate, administer; nobody else may read
    "viewer:plant,        allowed, 4.03, 4.03, 4.03",
    "operator:plant,      allowed, allowed, allowed, 4.03",
    "administrator:plant, allowed, allowed, allowed, allowed",
    "administrator:-,     4.03, 4.03, 4.03, 4.03",
  })
  void aRoleAppliesOnlyInItsDomain(
      String role, String read, String command, String operate, String administer) {
    DomainAccess access = access("domains.plant.read=psk:node-7", "domains.plant.register=psk:n");
    assertThat(decide(access, identity(role), Action.READ, "plant")).isEqualTo(read);
    assertThat(decide(access, identity(role), Action.COMMAND, "plant")).isEqualTo(command);
    assertThat(decide(access, identity(role), Action.REGISTER, "plant")).isEqualTo(command);
    assertThat(decide(access, identity(role), Action.OPERATE, "plant")).isEqualTo(operate);
    assertThat(decide(access, identity(role), Action.ADMINISTER, "plant")).isEqualTo(administer);
    for (String elsewhere : new String[] {"office", Access.EVERY_DOMAIN}) {
      for (Action action : Action.values()) {
        assertThat(decide(access, identity(role), action, elsewhere))
            .isEqualTo(action == Action.REGISTER ? "allowed" : "4.03");
      }
    }
  }

  @Test
  void aLinkPermitsNothingNotEvenWhatEveryoneMayDo() {
    DomainAccess access = access("anonymous-read=true", "domains.plant.read=anyone");
    Caller.Identity link =
        new Caller.Link("hall", "screen", new Caller.Account("operator", Grants.ALL.texts()));
    for (String domain : new String[] {"", "plant", "unheard-of", Access.EVERY_DOMAIN}) {
      for (Action action : Action.values()) {
        assertThat(decide(access, link, action, domain)).isEqualTo("4.03");
      }
    }
  }

  @Test
  void aSharedKeyOfAnAccountHasTheAccountsRoles() {
    DomainAccess access = access();
    Caller.Identity named = new Caller.PreSharedKey("ann-1");
    assertThat(decide(access, named, Action.READ, "plant")).isEqualTo("allowed");
    assertThat(decide(access, named, Action.COMMAND, "plant")).isEqualTo("4.03");
    assertThat(decide(access, named, Action.READ, "office")).isEqualTo("4.03");
    assertThat(decide(access, identity("psk"), Action.READ, "office")).isEqualTo("allowed");
  }

  @Test
  void commandDefaultsToThePrincipalsOfRead() {
    DomainAccess access = access("domains.plant.read=psk:node-7", "anonymous-read=true");
    assertThat(decide(access, identity("psk"), Action.COMMAND, "plant")).isEqualTo("allowed");
    assertThat(decide(access, identity("account"), Action.COMMAND, "plant")).isEqualTo("4.03");
    assertThat(decide(access, identity("nobody"), Action.COMMAND, "")).isEqualTo("allowed");
    assertThat(access.policy("plant").command()).containsExactly("psk:node-7");
    assertThat(access.policy("").read()).containsExactly("anyone");
  }

  @Test
  void anInvalidPolicyIsRefusedWithItsProperty() {
    for (String wrong : new String[] {"everyone", "rpk:short", "psk:", "anyone,psk:node-7"}) {
      assertThatThrownBy(() -> access("default-domain.read=" + wrong))
          .isInstanceOf(InvalidSettingException.class)
          .hasMessageStartingWith("default-domain.read takes anyone, identified");
    }
  }
}
