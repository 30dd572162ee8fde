package dev.rockpool.scan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The classes of a scan by name, as a class loader finds them. It never changes once all are added.
 */
final class Classes {
  private record Place(Contents artifact, ClassFile file) {}

  private final Map<String, List<Place>> byName = new HashMap<>();

  /** Adds the classes of an artifact, after those that come before it on the class path. */
  void add(Contents artifact) {
    for (ClassFile file : artifact.foreign) {
      byName
          .computeIfAbsent(file.internalName(), name -> new ArrayList<>(1))
          .add(new Place(artifact, file));
    }
    artifact.nested.forEach(this::add);
  }

  /**
   * The class that code of an artifact means by an internal name: that of the same artifact, else
   * of the same outermost jar, else the first; and there the newest that a release uses. Null if
   * there is none.
   *
   * @param release that of the JVM, or 0 for one that knows nothing of jars for several
   */
  @Nullable ClassFile find(String name, Contents artifact, int release) {
    Place best = null;
    for (Place place : byName.getOrDefault(name, List.of())) {
      if (place.file.release() <= release && (best == null || isBetter(place, best, artifact))) {
        best = place;
      }
    }
    return best == null ? null : best.file;
  }

  private static boolean isBetter(Place place, Place than, Contents artifact) {
    int nearer = nearness(place, artifact) - nearness(than, artifact);
    return nearer > 0
        || (nearer == 0
            && place.artifact == than.artifact
            && place.file.release() > than.file.release());
  }

  @SuppressWarnings("ReferenceEquality") // each jar is read once
  private static int nearness(Place place, Contents artifact) {
    if (place.artifact == artifact) {
      return 2;
    }
    return place.artifact.outermost == artifact.outermost ? 1 : 0;
  }
}
