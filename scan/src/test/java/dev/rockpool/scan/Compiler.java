package dev.rockpool.scan;

import static org.assertj.core.api.Assertions.assertThat;

import clojure.lang.RT;
import clojure.lang.Symbol;
import clojure.lang.Var;
import dotty.tools.dotc.Main;
import dotty.tools.dotc.reporting.Reporter;
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
import org.codehaus.groovy.control.CompilationUnit;
import org.codehaus.groovy.control.CompilerConfiguration;
import org.eclipse.jdt.core.compiler.batch.BatchCompiler;
import org.jetbrains.kotlin.cli.common.ExitCode;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;

/** Compilers whose class files the scan has to understand. */
enum Compiler {
  JAVAC_22,
  JAVAC_25,
  ECJ_25,
  KOTLIN,
  SCALA,
  GROOVY,
  CLOJURE;

  /** Whether it takes files with that name. */
  boolean takes(Path source) {
    String suffix =
        switch (this) {
          case KOTLIN -> ".kt";
          case SCALA -> ".scala";
          case GROOVY -> ".groovy";
          case CLOJURE -> ".clj";
          default -> ".java";
        };
    return source.toString().endsWith(suffix);
  }

  /** Compiles {@code sources} into {@code folder}. */
  void compile(List<Path> sources, Path folder) {
    switch (this) {
      case KOTLIN -> kotlin(sources, folder);
      case SCALA -> scala(sources, folder);
      case GROOVY -> groovy(sources, folder);
      case CLOJURE -> clojure(sources, folder);
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

  /** The jars of the class path whose names contain one of the words. */
  private static String jars(String... names) {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(path -> Arrays.stream(names).anyMatch(path::contains))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static void kotlin(List<Path> sources, Path folder) {
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
                    jars("kotlin-stdlib"),
                    "-jvm-target",
                    "24",
                    "-jdk-home",
                    System.getProperty("java.home"),
                    "-d",
                    folder.toString()));
    assertThat(code).as(out.toString(StandardCharsets.UTF_8)).isEqualTo(ExitCode.OK);
  }

  private static void scala(List<Path> sources, Path folder) {
    String libraries = jars("scala-library", "scala3-library");
    Reporter reporter =
        Main.process(arguments(sources, "-classpath", libraries, "-d", folder.toString()));
    assertThat(reporter.hasErrors()).as(reporter.summary()).isFalse();
  }

  private static void groovy(List<Path> sources, Path folder) {
    CompilerConfiguration configuration = new CompilerConfiguration();
    configuration.setTargetDirectory(folder.toFile());
    CompilationUnit unit = new CompilationUnit(configuration);
    sources.forEach(source -> unit.addSource(source.toFile()));
    unit.compile();
  }

  /** Compiles namespaces, which it finds on the class path by their names. */
  private static void clojure(List<Path> sources, Path folder) {
    Var target = RT.var("clojure.core", "*compile-path*");
    Var.pushThreadBindings(RT.map(target, folder.toString()));
    try {
      for (Path source : sources) {
        String name = source.getFileName().toString().replace(".clj", "").replace('_', '-');
        RT.var("clojure.core", "compile")
            .invoke(Symbol.intern(Compiler.class.getPackageName() + ".shapes." + name));
      }
    } finally {
      Var.popThreadBindings();
    }
  }
}
