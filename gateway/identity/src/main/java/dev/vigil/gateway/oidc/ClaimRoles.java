package dev.vigil.gateway.oidc;

import dev.vigil.gateway.access.Grants;
import dev.vigil.gateway.settings.InvalidSettingException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The roles that the settings assign to values of a claim. By default nobody has a role. */
final class ClaimRoles {
  private final String claim;
  private final Map<String, List<String>> roles = new LinkedHashMap<>();

  /**
   * @throws InvalidSettingException when a role is malformed, or a value is empty or named twice
   */
  ClaimRoles(OidcProperties settings) {
    this.claim = settings.rolesClaim();
    for (int i = 0; i < settings.roles().size(); i++) {
      String property = "%s.roles[%d]".formatted(OidcProperties.property(), i);
      OidcProperties.ValueRoles mapping = settings.roles().get(i);
      if (mapping.value().isBlank()) {
        throw new InvalidSettingException(property + ".value", "must name a value of the claim");
      }
      try {
        Grants.of(mapping.roles());
      } catch (IllegalArgumentException e) {
        throw new InvalidSettingException(property + ".roles", "is wrong: " + e.getMessage());
      }
      if (roles.put(mapping.value(), mapping.roles()) != null) {
        throw new InvalidSettingException(property + ".value", "must not repeat an earlier value");
      }
    }
  }

  /** The values of a person's claim that have roles. */
  List<String> known(Map<String, Object> claims) {
    return switch (find(claims)) {
      case String value -> known(List.of(value));
      case Collection<?> values -> known(values);
      case null, default -> List.of();
    };
  }

  private List<String> known(Collection<?> values) {
    return roles.keySet().stream().filter(values::contains).toList();
  }

  /** The claim of that name; otherwise the nested member at its dotted path. */
  private @Nullable Object find(Map<String, Object> claims) {
    if (claims.containsKey(claim)) {
      return claims.get(claim);
    }
    Object place = claims;
    for (String part : claim.split("\\.")) {
      place = place instanceof Map<?, ?> object ? object.get(part) : null;
    }
    return place;
  }

  /** The combined roles of values. */
  Grants grants(List<String> values) {
    List<String> texts = new ArrayList<>();
    values.forEach(value -> texts.addAll(roles.getOrDefault(value, List.of())));
    return Grants.of(texts);
  }
}
