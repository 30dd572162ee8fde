package dev.rockpool.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.eclipse.jdt.core.compiler.batch.BatchCompiler;
import org.jetbrains.kotlin.cli.common.ExitCode;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;

/** Compilers whose class files the scan has to understand. */
enum Compiler {
  JAVAC_22,
  JAVAC_25,
  ECJ_25,
  KOTLIN;

  /** Whether it takes files with that name. */
  boolean takes(Path source) {
    return source.toString().endsWith(this == KOTLIN ? ".kt" : ".java");
  }

  /** Compiles {@code sources} into {@code folder}. */
  void compile(List<Path> sources, Path folder) {
    switch (this) {
      case KOTLIN -> kotlin(sources, folder);
      case ECJ_25 -> ecj(sources, folder);
      default -> javac(sources, folder);
    }
  }

  private static String[] arguments(List<Path> sources, String... options) {
    return Stream.concat(Stream.of(options), sources.stream().map(Path::toString))
        .toArray(String[]::new);
  }

  private String release() {
    return name().substring(name().indexOf('_') + 1);
  }

  private void javac(List<Path> sources, Path folder) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                out,
                out,
                arguments(sources, "-g", "--release", release(), "-d", folder.toString()));
    assertThat(code).as(out.toString(StandardCharsets.UTF_8)).isZero();
  }

  private void ecj(List<Path> sources, Path folder) {
    StringWriter out = new StringWriter();
    boolean done =
        BatchCompiler.compile(
            arguments(sources, "-g", "-nowarn", "--release", release(), "-d", folder.toString()),
            new PrintWriter(out),
            new PrintWriter(out),
            null);
    assertThat(done).as(out.toString()).isTrue();
  }

  private static void kotlin(List<Path> sources, Path folder) {
    String library =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(path -> path.contains("kotlin-stdlib"))
            .collect(Collectors.joining(File.pathSeparator));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ExitCode code =
        new K2JVMCompiler()
            .exec(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                arguments(
                    sources,
                    "-no-stdlib",
                    "-no-reflect",
                    "-classpath",
                    library,
                    "-jvm-target",
                    "24",
                    "-jdk-home",
                    System.getProperty("java.home"),
                    "-d",
                    folder.toString()));
    assertThat(code).as(out.toString(StandardCharsets.UTF_8)).isEqualTo(ExitCode.OK);
  }
}
