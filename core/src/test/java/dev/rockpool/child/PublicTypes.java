package dev.rockpool.child;

import dev.rockpool.arena.Arenas;
import java.io.IOException;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All types that programs can use, found in the module itself. */
public final class PublicTypes {
  private PublicTypes() {}

  /** The public types of all exported packages, nested ones included. */
  public static List<Class<?>> ofRockpool() throws IOException, URISyntaxException {
    Path rockpool =
        Path.of(Arenas.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    ModuleReference module = ModuleFinder.of(rockpool).find("dev.rockpool").orElseThrow();
    Set<String> exported =
        module.descriptor().exports().stream().map(Exports::source).collect(Collectors.toSet());
    try (ModuleReader reader = module.open();
        Stream<String> files = reader.list()) {
      return files
          .filter(file -> file.endsWith(".class") && file.contains("/"))
          .map(file -> file.replace('/', '.').substring(0, file.length() - ".class".length()))
          .filter(name -> exported.contains(name.substring(0, name.lastIndexOf('.'))))
          .filter(name -> !name.endsWith(".package-info"))
          .<Class<?>>map(PublicTypes::load)
          .filter(PublicTypes::isPublic)
          .toList();
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, Arenas.class.getClassLoader());
    } catch (ClassNotFoundException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static boolean isPublic(Class<?> type) {
    Class<?> outer = type.getEnclosingClass();
    return Modifier.isPublic(type.getModifiers()) && (outer == null || isPublic(outer));
  }
}
