package dev.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** A value of a YAML document: a map, a list or a scalar. */
record Yaml(Object value) {
  static Yaml parse(String text) {
    return new Yaml(new Load(LoadSettings.builder().build()).loadFromString(text));
  }

  /** Follows keys of maps and indices of lists; what is there must not be missing. */
  Yaml at(Object... path) {
    Object found = value;
    for (Object step : path) {
      found =
          step instanceof Integer index
              ? ((List<?>) found).get(index)
              : ((Map<?, ?>) found).get(step);
      assertThat(found).as("%s in %s", step, value).isNotNull();
    }
    return new Yaml(found);
  }

  List<String> keys() {
    return ((Map<?, ?>) value).keySet().stream().map(String::valueOf).toList();
  }

  List<Yaml> list() {
    return ((List<?>) value).stream().<Yaml>map(Yaml::new).toList();
  }

  String text() {
    return String.valueOf(value);
  }
}
