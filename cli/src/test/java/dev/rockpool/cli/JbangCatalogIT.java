package dev.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rockpool.testing.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** The catalog for JBang names the artifact that this build makes. */
class JbangCatalogIT {
  @Test
  void aliasIsThisCommandLine() throws IOException {
    JsonObject alias =
        JsonParser.parseString(Files.readString(Path.of("../jbang-catalog.json")))
            .getAsJsonObject()
            .getAsJsonObject("aliases")
            .getAsJsonObject("rockpool");

    try (JarFile jar = new JarFile(System.getProperty("rockpool.cli.jar"))) {
      Attributes manifest = jar.getManifest().getMainAttributes();
      assertThat(alias.get("script-ref").getAsString())
          .isEqualTo(
              "dev.rockpool:rockpool-cli:"
                  + manifest.getValue(Attributes.Name.IMPLEMENTATION_VERSION)
                  + "@fatjar");
      // JBang asks the manifest for the class, and starts it on such a Java.
      assertThat(manifest.getValue(Attributes.Name.MAIN_CLASS)).isEqualTo(Main.class.getName());
    }
    assertThat(alias.get("java").getAsString()).isEqualTo(Sources.RELEASE + "+");
  }
}
