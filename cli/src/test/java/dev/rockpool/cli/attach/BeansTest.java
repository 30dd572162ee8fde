package dev.rockpool.cli.attach;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import javax.management.openmbean.TabularDataSupport;
import javax.management.openmbean.TabularType;
import org.junit.jupiter.api.Test;

/** What MBeans of any program may answer. */
class BeansTest {
  /** A table of rows with one text, by which they are found, and a number. */
  private static TabularDataSupport table(String text, String number, String value)
      throws OpenDataException {
    String[] names = {text, number};
    OpenType<?>[] types = {SimpleType.STRING, SimpleType.LONG};
    CompositeType row = new CompositeType("row", "row", names, names, types);
    TabularDataSupport table =
        new TabularDataSupport(new TabularType("t", "t", row, new String[] {text}));
    table.put(new CompositeDataSupport(row, names, new Object[] {value, 7L}));
    return table;
  }

  @Test
  void textsHaveNoLineBreaks() throws OpenDataException {
    assertThat(Beans.plain("a\n::error::b")).isEqualTo("a?::error::b");
    assertThat(Beans.plain(table("key", "value", "a\rb"))).isEqualTo(Map.of("a?b", 7L));
  }

  @Test
  void valuesMayBeMissingAndTablesNoMaps() throws OpenDataException {
    assertThat(Beans.plain(null)).isEqualTo("");
    assertThat(Beans.plain(table("name", "size", "a"))).isEqualTo(Map.of());
  }
}
