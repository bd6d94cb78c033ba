package dev.vigil.gateway.domains;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The members of a domain's JSON that the settings file names. */
final class FileMembers {
  /** Lists in the file add to the stored lists. */
  private static final Set<String> LISTS = Set.of("listed", "commanders");

  private FileMembers() {}

  static List<String> of(DomainProperties file) {
    return Stream.concat(
            named(file).filter(name -> !LISTS.contains(name) && !name.equals("limits")),
            named(file.limits()).map(name -> "limits." + name))
        .map(MemberNames::of)
        .sorted()
        .toList();
  }

  private static Stream<String> named(Record settings) {
    return Arrays.stream(settings.getClass().getRecordComponents())
        .filter(component -> isSet(component, settings))
        .map(RecordComponent::getName);
  }

  private static boolean isSet(RecordComponent component, Record settings) {
    try {
      return component.getAccessor().invoke(settings) != null;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
