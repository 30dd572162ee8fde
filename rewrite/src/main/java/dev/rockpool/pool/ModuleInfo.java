package dev.rockpool.pool;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.attribute.ModuleAttribute;
import java.lang.classfile.attribute.ModuleRequireInfo;
import java.lang.constant.ModuleDesc;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

final class ModuleInfo {
  static final String FILE = "module-info.class";
  private static final String LIBRARY = "dev.rockpool";

  private ModuleInfo() {}

  /**
   * Returns the file with {@code requires dev.rockpool}; null if it has that already.
   *
   * @throws IllegalArgumentException if the bytes are not those of a module
   */
  static byte @Nullable [] readingLibrary(byte[] file) {
    ClassModel model = ClassFile.of().parse(file);
    ModuleAttribute module =
        model
            .findAttribute(Attributes.module())
            .orElseThrow(() -> new IllegalArgumentException("it has no module"));
    List<ModuleRequireInfo> requires = new ArrayList<>(module.requires());
    if (requires.stream().anyMatch(each -> each.requires().name().equalsString(LIBRARY))) {
      return null;
    }
    requires.add(ModuleRequireInfo.of(ModuleDesc.of(LIBRARY), 0, null));
    ModuleAttribute changed =
        ModuleAttribute.of(
            module.moduleName(),
            module.moduleFlagsMask(),
            module.moduleVersion().orElse(null),
            requires,
            module.exports(),
            module.opens(),
            module.uses(),
            module.provides());
    return ClassFile.of()
        .transformClass(
            model,
            (built, element) -> built.with(element instanceof ModuleAttribute ? changed : element));
  }
}
