package dev.rockpool.scan;

import dev.rockpool.scan.Finding.ArenaKind;
import dev.rockpool.scan.Finding.Closing;
import dev.rockpool.scan.Finding.Escape;
import dev.rockpool.scan.Finding.Place;
import dev.rockpool.scan.Finding.Request;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Handle;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;

/** Finds the places in a class that create arenas, by call or by method reference. */
final class ArenaSearch {
  private final ClassFile file;
  private final ClassNode type = new ClassNode();
  private final SourceLines lines;
  private final Program program;

  /** Names and descriptors of the methods that are bodies of lambdas. */
  private final Set<String> lambdas = new HashSet<>();

  private final List<Finding> findings = new ArrayList<>();

  private ArenaSearch(ClassFile file, Program program) {
    this.file = file;
    this.program = program;
    new ClassReader(file.content()).accept(type, ClassReader.SKIP_FRAMES);
    this.lines = SourceLines.of(type);
    for (MethodNode method : type.methods) {
      for (AbstractInsnNode instruction : method.instructions) {
        if (instruction instanceof InvokeDynamicInsnNode call
            && Library.isLambda(call)
            && call.bsmArgs[1] instanceof Handle body
            && body.getOwner().equals(type.name)) {
          lambdas.add(body.getName() + body.getDesc());
        }
      }
    }
  }

  /**
   * The places in {@code file}, by line.
   *
   * @param program the artifact that it is from
   * @throws AnalyzerException if its code is not valid
   * @throws RuntimeException if it is not a class file, or newer than we know
   */
  static List<Finding> findings(ClassFile file, Program program) throws AnalyzerException {
    ArenaSearch search = new ArenaSearch(file, program);
    for (MethodNode method : search.type.methods) {
      search.searchIn(method);
    }
    search.findings.sort(Comparator.comparingInt(finding -> finding.place().line()));
    return search.findings;
  }

  private void searchIn(MethodNode method) throws AnalyzerException {
    Map<MethodInsnNode, ArenaKind> creations = new LinkedHashMap<>();
    for (AbstractInsnNode instruction : method.instructions) {
      switch (instruction) {
        case MethodInsnNode call -> {
          ArenaKind kind = Library.arenaKind(call);
          if (kind != null) {
            creations.put(call, kind);
          }
        }
        case InvokeDynamicInsnNode call -> addReferences(method, call, call.bsmArgs);
        case LdcInsnNode load -> addReferences(method, load, load.cst);
        default -> {}
      }
    }
    if (!creations.isEmpty()) {
      follow(method, creations);
    }
  }

  private void addReferences(MethodNode method, AbstractInsnNode instruction, Object... constants) {
    for (Object constant : constants) {
      ArenaKind kind = constant instanceof Handle handle ? Library.arenaKind(handle) : null;
      if (kind != null) {
        Graph graph = new Graph(method);
        findings.add(
            new Finding(
                place(method, instruction),
                kind,
                Closing.OUT_OF_SIGHT,
                Set.of(),
                false,
                graph.isInLoop(graph.index(instruction), -1),
                List.of(),
                OptionalLong.empty()));
      }
    }
  }

  private Place place(MethodNode method, AbstractInsnNode instruction) {
    SourceLines.Line line = lines.of(Graph.line(instruction));
    return new Place(
        file.entry(),
        file.release(),
        type.name.replace('/', '.'),
        method.name,
        line.folder(),
        line.source(),
        line.number());
  }

  private record Followed(ArenaKind kind, Life life, Uses uses) {}

  /** Follows each arena that the method creates by itself. */
  private void follow(MethodNode method, Map<MethodInsnNode, ArenaKind> creations)
      throws AnalyzerException {
    Graph graph = new Graph(method);
    Facts facts = new Facts(type.name, program);
    Frame<Fact>[] frames = facts.framesOf(method);
    List<Followed> all = new ArrayList<>();
    Set<AbstractInsnNode> nested = new HashSet<>();
    for (Map.Entry<MethodInsnNode, ArenaKind> creation : creations.entrySet()) {
      MethodInsnNode call = creation.getKey();
      Frame<Fact> before = frames[graph.index(call)];
      if (before != null) { // else nothing leads there
        Life life = new Life(call, before, graph, facts, program);
        Uses uses = new Uses(life, program);
        all.add(new Followed(creation.getValue(), life, uses));
        if (creation.getValue().mustBeClosed()) {
          nested.addAll(uses.inside);
        }
      }
    }
    for (Followed arena : all) {
      AbstractInsnNode creation = arena.life.creation;
      Closing closing = arena.life.closing();
      if (!arena.kind.mustBeClosed() && !closing.isInMethod()) {
        closing = Closing.NEVER;
      }
      Set<Escape> escapes = EnumSet.copyOf(arena.uses.escapes);
      boolean handedOut =
          isLambda(method)
              && !closing.isInMethod()
              && !escapes.contains(Escape.STORED)
              && !escapes.contains(Escape.CAPTURED)
              && escapes.remove(Escape.RETURNED);
      Place place = place(method, creation);
      findings.add(
          new Finding(
              place,
              arena.kind,
              handedOut ? Closing.OUT_OF_SIGHT : closing,
              escapes,
              nested.contains(creation),
              graph.isInLoop(graph.index(creation), -1),
              arena.uses.requests.stream().map(request -> inSource(request, place)).toList(),
              arena.uses.bytes()));
    }
  }

  private boolean isLambda(MethodNode method) {
    return lambdas.contains(method.name + method.desc) || Library.isClosure(type.superName);
  }

  /** The request with the line in the source file of the place, if it is in that file. */
  private Request inSource(Request request, Place place) {
    SourceLines.Line line = lines.of(request.line());
    boolean same = line.folder().equals(place.folder()) && line.source().equals(place.source());
    return new Request(request.bytes(), request.repeated(), same ? line.number() : -1);
  }
}
