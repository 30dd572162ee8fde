package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The line of JSON, for names that classes may have. */
class CountLogTest {
  private static final String HOSTILE =
      "a\"b\\c\nd\r\u0000\u001b[31m\u2028\u00e9\ud83d\ude00\ud800 e<script>.\u007f";

  private static final class Figures extends UncalledLimit {
    private final Map<String, Long> sites;

    Figures(Map<String, Long> sites) {
      this.sites = sites;
    }

    @Override
    public Map<String, Long> figures() {
      return Map.of("limit", 0L, "inUse", Long.MAX_VALUE, "highest", 3L, "refused", 0L);
    }

    @Override
    public Map<String, Long> inUseByKind() {
      return Map.of("shared", 2L);
    }

    @Override
    public Map<String, Long> largestSites(int most) {
      assertThat(most).isEqualTo(10);
      return sites;
    }

    @Override
    public Map<String, Long> self() {
      return Map.of("blocks", 1L);
    }
  }

  private static String line(Map<String, Long> sites) {
    AgentReport report = new AgentReport("1", AgentOptions.parse("count,count.log=stderr"));
    return new CountLog(report, new Figures(sites)).line(Instant.ofEpochSecond(1));
  }

  @Test
  void anyNameIsOneLineOfAsciiAndComesBack() {
    Map<String, Long> sites = new LinkedHashMap<>();
    sites.put("shared " + HOSTILE, 42L);
    sites.put("direct (channels)", 41L);

    String line = line(sites);

    assertThat(line).matches("[ -~]+");
    JsonObject json = JsonParser.parseString(line).getAsJsonObject();
    JsonObject first = json.getAsJsonArray("sites").get(0).getAsJsonObject();
    assertThat(first.get("kind").getAsString()).isEqualTo("shared");
    assertThat(first.get("site").getAsString()).isEqualTo(HOSTILE);
    assertThat(first.get("bytes").getAsLong()).isEqualTo(42);
    assertThat(json.getAsJsonArray("sites")).hasSize(2);
    assertThat(json.get("time").getAsString()).isEqualTo("1970-01-01T00:00:01Z");
    assertThat(json.get("inUse").getAsLong()).isEqualTo(Long.MAX_VALUE);
    assertThat(json.getAsJsonObject("byKind").get("shared").getAsLong()).isEqualTo(2);
  }

  @Test
  void nothingHeldIsAnEmptyList() {
    assertThat(line(Map.of())).endsWith(",\"sites\":[]}");
  }
}
