package dev.rockpool.examples.fleet;

import static dev.rockpool.examples.fleet.Commands.rockpool;
import static dev.rockpool.examples.fleet.Commands.submit;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rockpool.testing.Jvm.Exit;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The job in Spark, compared with the commands whose work it does. */
class FleetJobIT {
  private static SparkSession spark;

  @TempDir private Path folder;

  @BeforeAll
  static void start() {
    spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", false)
            .config("spark.hadoop.fs.viewfs.mounttable.far.link./root", "file:/")
            .getOrCreate();
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  /** Libraries; one in a jar; a jar that is cut off; a text; a line that names nothing. */
  private List<Path> corpus() throws IOException {
    Path jars = Files.createDirectories(folder.resolve("some jars/deep"));
    try (Stream<Path> libraries = Files.list(Path.of(System.getProperty("fleet.corpus")))) {
      for (Path library : libraries.toList()) {
        Files.copy(library, jars.resolve(library.getFileName()));
      }
    }
    Path coyote = jars.resolve("tomcat-coyote-ffm-10.1.34.jar");
    try (OutputStream out = Files.newOutputStream(jars.resolve("outer.war"));
        ZipOutputStream war = new ZipOutputStream(out)) {
      war.putNextEntry(new ZipEntry("WEB-INF/lib/inner.jar"));
      Files.copy(coyote, war);
    }
    byte[] bytes = Files.readAllBytes(coyote);
    Files.write(jars.resolve("cut.jar"), Arrays.copyOf(bytes, bytes.length / 2));
    Files.writeString(jars.resolve("text.jar"), "no jar");
    Files.writeString(jars.resolve("text.txt"), "not read");
    try (Stream<Path> all = Files.list(jars)) {
      return all.filter(file -> !file.toString().endsWith(".txt")).sorted().toList();
    }
  }

  @Test
  void scansAsTheCommandDoes() throws Exception {
    List<Path> jars = corpus();
    Path list = folder.resolve("list.txt");
    Files.writeString(list, folder.resolve("some jars") + "\n\n" + folder.resolve("absent.jar"));
    Path tables = folder.resolve("tables");

    Exit outcome = submit("scan", "@" + list, "--output", tables.toString());

    assertThat(outcome.code()).as(outcome.errText()).isZero();
    List<String> sites = new ArrayList<>();
    List<String> conditions = new ArrayList<>();
    List<String> artifacts = new ArrayList<>();
    artifacts.add(text(folder.resolve("absent.jar"), null, null, "there is no such file"));
    for (Path jar : jars) {
      Path json = folder.resolve("scan.json");
      Path csv = folder.resolve("scan.csv");
      rockpool("scan", jar.toString(), "--json", json.toString(), "--csv", csv.toString());
      JsonObject scan = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
      for (JsonElement each : scan.getAsJsonArray("artifacts")) {
        JsonObject artifact = each.getAsJsonObject();
        JsonArray all = artifact.getAsJsonArray("sites");
        String name = artifact.get("name").getAsString();
        artifacts.add(text(name, artifact.get("classes"), all.size(), null));
        all.forEach(site -> sites.add(expected(name, site.getAsJsonObject())));
      }
      for (JsonElement each : scan.getAsJsonArray("skipped")) {
        JsonObject skipped = each.getAsJsonObject();
        artifacts.add(text(skipped.get("name"), null, null, skipped.get("reason")));
      }
      Files.readString(csv).lines().skip(1).forEach(line -> conditions.add(line));
    }
    Dataset<Row> rows = spark.read().parquet(tables.resolve("sites").toString());
    assertThat(rows.collectAsList())
        .hasSizeGreaterThan(50)
        .map(FleetJobIT::actual)
        .containsExactlyInAnyOrderElementsOf(sites);
    assertThat(rows.select("conditions").collectAsList())
        .map(row -> String.join(" ", row.<String>getList(0)))
        .containsExactlyInAnyOrderElementsOf(
            conditions.stream().map(line -> line.replaceAll(".*,", "")).toList());
    List<Row> found = spark.read().parquet(tables.resolve("artifacts").toString()).collectAsList();
    assertThat(found).map(FleetJobIT::text).containsExactlyInAnyOrderElementsOf(artifacts);
    assertThat(artifacts).anyMatch(text -> text.contains("outer.war!/WEB-INF/lib/inner.jar"));
    assertThat(found.stream().filter(row -> !row.isNullAt(3)).map(row -> row.getString(0)))
        .contains(jars.getFirst().resolveSibling("cut.jar").toString())
        .contains(jars.getFirst().resolveSibling("text.jar").toString());
    assertThat(outcome.outText())
        .contains("Scanned " + (jars.size() + 1) + " jars: ", " " + sites.size() + " sites; 3 ");
  }

  private static String expected(String artifact, JsonObject site) {
    List<Object> values = new ArrayList<>(List.of(artifact));
    for (String key :
        "entry release class method source line factory pooling closing nested inLoop bytes"
            .split(" ")) {
      JsonElement value = site.has(key) ? site.get(key) : JsonNull.INSTANCE;
      boolean isConstant = Set.of("factory", "pooling", "closing").contains(key);
      values.add(isConstant ? value.getAsString().toLowerCase(Locale.ROOT) : value);
    }
    List<String> escapes = new ArrayList<>();
    site.getAsJsonArray("escapes")
        .forEach(escape -> escapes.add(escape.getAsString().toLowerCase(Locale.ROOT)));
    values.add(escapes);
    for (JsonElement each : site.getAsJsonArray("requests")) {
      JsonObject request = each.getAsJsonObject();
      values.addAll(
          Arrays.asList(request.get("bytes"), request.get("repeated"), request.get("line")));
    }
    return text(values.toArray());
  }

  private static String actual(Row site) {
    List<Object> values = new ArrayList<>();
    for (String column :
        ("artifact entry release class method source line kind pooling closing nested inLoop bytes"
                + " escapes")
            .split(" ")) {
      int index = site.fieldIndex(column);
      values.add(column.equals("escapes") ? site.getList(index) : site.get(index));
    }
    for (Row request : site.<Row>getList(site.fieldIndex("requests"))) {
      values.addAll(Arrays.asList(request.get(0), request.get(1), request.get(2)));
    }
    return text(values.toArray());
  }

  private static String text(Row row) {
    Object[] values = new Object[row.size()];
    Arrays.setAll(values, row::get);
    return text(values);
  }

  private static String text(Object... values) {
    return Arrays.stream(values)
        .map(
            value ->
                value instanceof JsonElement json && json.isJsonPrimitive()
                    ? json.getAsString()
                    : value instanceof JsonNull ? "null" : String.valueOf(value))
        .toList()
        .toString();
  }

  /**
   * JVMs with the same sites; dumps of one running JVM, which overlap; a copy; a recording that is
   * cut off; one that is none.
   */
  @Test
  void mergesAsTheReportDoes() throws Exception {
    Path recordings = Files.createDirectory(folder.resolve("recordings"));
    Commands.record(recordings.resolve("a.jfr"), "100");
    Path first = recordings.resolve("b1.jfr");
    Path second = recordings.resolve("b2.jfr");
    Commands.record(recordings.resolve("b.jfr"), "3000", first.toString(), second.toString());
    Path c = recordings.resolve("c.jfr");
    Exit recorded =
        rockpool(
            "record",
            "--output",
            c.toString(),
            "--",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            Path.of("target", "test-classes").toAbsolutePath().toString(),
            Program.class.getName(),
            "50");
    assertThat(recorded.code()).as(recorded.errText()).isZero();
    Files.copy(c, recordings.resolve("copy of c.jfr"));
    byte[] bytes = Files.readAllBytes(second);
    Files.write(recordings.resolve("cut.jfr"), Arrays.copyOf(bytes, bytes.length - 100));
    Files.writeString(recordings.resolve("text.jfr"), "no recording");

    Path json = folder.resolve("report.json");
    List<String> report = new ArrayList<>(List.of("report", "--no-calibration", "--json"));
    report.addAll(List.of(json.toString(), "-o", folder.resolve("report.html").toString()));
    try (Stream<Path> files = Files.list(recordings)) {
      files.sorted().forEach(file -> report.add(file.toString()));
    }
    assertThat(rockpool(report.toArray(String[]::new)).code()).isEqualTo(1);
    JsonObject expected = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
    Path tables = folder.resolve("tables");

    Exit outcome = submit("report", recordings.toString(), "--output", tables.toString());

    assertThat(outcome.code()).as(outcome.errText()).isZero();
    assertThat(rows(tables.resolve("sites")))
        .hasSizeGreaterThan(1)
        .anyMatch(row -> row.get("arenas").getAsLong() > 0)
        .containsExactlyInAnyOrderElementsOf(objects(expected.getAsJsonArray("sites")));
    assertThat(rows(tables.resolve("holders")))
        .anyMatch(row -> row.get("leaked").getAsLong() > 0)
        .containsExactlyInAnyOrderElementsOf(objects(expected.getAsJsonArray("holders")));
    Dataset<Row> files = spark.read().parquet(tables.resolve("recordings").toString());
    assertThat(files.count()).isEqualTo(8);
    assertThat(files.where("used").count()).isEqualTo(expected.get("recordings").getAsLong());
    assertThat(files.where("reason like '%no recording of JDK Flight Recorder'").count()).isOne();
    assertThat(outcome.outText())
        .contains("Merged " + expected.get("recordings") + " of 8 recordings");
  }

  private static List<JsonObject> rows(Path table) {
    Dataset<Row> rows = spark.read().parquet(table.toString());
    return rows.toJSON().collectAsList().stream()
        .map(row -> JsonParser.parseString(row).getAsJsonObject())
        .toList();
  }

  private static List<JsonObject> objects(JsonArray array) {
    List<JsonObject> objects = new ArrayList<>();
    for (JsonElement each : array) {
      JsonObject object = each.getAsJsonObject();
      object.remove("stacks"); // the tables have none
      object.remove("totals"); // nor these
      objects.add(object);
    }
    return objects;
  }

  /** A file system that is not the local one: each task copies its file. */
  @Test
  void readsOtherFileSystems() throws Exception {
    Path jar = corpus().getLast();
    String far = "viewfs://far/root" + jar.getParent();

    run("scan", far, "-o", folder.resolve("far").toString());
    run("scan", jar.getParent().toString(), "-o", folder.resolve("near").toString());

    for (String table : List.of("sites", "artifacts")) {
      assertThat(rows(folder.resolve("far").resolve(table)))
          .hasSizeGreaterThan(5)
          .map(row -> row.toString().replace("viewfs://far/root", ""))
          .containsExactlyInAnyOrderElementsOf(
              rows(folder.resolve("near").resolve(table)).stream()
                  .map(JsonObject::toString)
                  .toList());
    }
  }

  @Test
  void refusesBadArguments() throws Exception {
    Path jar = corpus().getLast();
    String there = folder.toString();
    String absent = folder.resolve("absent").toString();

    assertThat(run("scan", jar.toString(), "-o", there))
        .startsWith("--output must not exist: " + there);
    assertThat(run("scan", absent, "-o", absent + "/out"))
        .startsWith("PATH must be a file, a folder, or @FILE with one of these on each line: ")
        .contains(absent);
    assertThat(run("report", there, "-o", absent))
        .startsWith("PATH must name files: there is none");
    assertThat(run("scan", jar.toString()))
        .startsWith("Missing required option: '--output=FOLDER'");
    assertThat(Path.of(absent)).doesNotExist();
  }

  /** Runs the job in this JVM; returns the error. */
  private static String run(String... args) {
    StringWriter err = new StringWriter();
    CommandLine commandLine = Main.commandLine().setErr(new PrintWriter(err));
    int exitCode = commandLine.execute(args);
    assertThat(exitCode).as(err.toString()).isEqualTo(err.toString().isEmpty() ? 0 : 2);
    return err.toString();
  }
}
