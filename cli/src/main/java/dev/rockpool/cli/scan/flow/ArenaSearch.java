package dev.rockpool.cli.scan.flow;

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
public final class ArenaSearch {
  private static final Object[] NONE = {};

  private final ClassNode type;
  private final Program program;
  private final List<Site> sites = new ArrayList<>();

  private ArenaSearch(ClassNode type, Program program) {
    this.type = type;
    this.program = program;
  }

  /**
   * The sites in {@code classFile}, by line.
   *
   * @param program the artifact that it is from
   * @throws AnalyzerException if its code is not valid
   * @throws RuntimeException if it is not a class file, or newer than we know
   */
  public static List<Site> sites(byte[] classFile, Program program) throws AnalyzerException {
    ClassNode type = new ClassNode();
    new ClassReader(classFile).accept(type, ClassReader.SKIP_FRAMES);
    ArenaSearch search = new ArenaSearch(type, program);
    for (MethodNode method : type.methods) {
      search.searchIn(method);
    }
    search.sites.sort(Comparator.comparingInt(site -> site.place().line()));
    return search.sites;
  }

  private void searchIn(MethodNode method) throws AnalyzerException {
    Map<AbstractInsnNode, Factory> creations = new LinkedHashMap<>();
    for (AbstractInsnNode instruction : method.instructions) {
      if (instruction instanceof MethodInsnNode call) {
        Factory factory = Factory.of(call);
        if (factory != null) {
          creations.put(call, factory);
        }
      }
      for (Object constant : constants(instruction)) {
        if (constant instanceof Handle handle) {
          Factory factory = Factory.of(handle);
          if (factory != null) {
            addReference(method, instruction, factory);
          }
        }
      }
    }
    if (!creations.isEmpty()) {
      new InMethod(method).add(creations);
    }
  }

  /** Those that the instruction names: method references are among them. */
  private static Object[] constants(AbstractInsnNode instruction) {
    return switch (instruction) {
      case InvokeDynamicInsnNode call -> call.bsmArgs;
      case LdcInsnNode load -> new Object[] {load.cst};
      default -> NONE;
    };
  }

  private void addReference(MethodNode method, AbstractInsnNode instruction, Factory factory) {
    sites.add(
        new Site(
            factory,
            place(method, instruction),
            Closing.OUT_OF_SIGHT,
            EnumSet.noneOf(Escape.class),
            false,
            new Graph(method).isInLoop(method.instructions.indexOf(instruction), -1),
            List.of(),
            OptionalLong.empty()));
  }

  private Site.Place place(MethodNode method, AbstractInsnNode instruction) {
    return new Site.Place(
        type.name.replace('/', '.'), method.name, type.sourceFile, Lines.of(instruction));
  }

  /** The creations in one method, each followed by itself. */
  private final class InMethod {
    private final MethodNode method;
    private final Graph graph;
    private final Facts facts;
    private final Frame<Fact>[] frames;

    InMethod(MethodNode method) throws AnalyzerException {
      this.method = method;
      this.graph = new Graph(method);
      this.facts = new Facts(type.name, program.constants());
      this.frames = Frames.of(type.name, method, facts);
    }

    void add(Map<AbstractInsnNode, Factory> creations) throws AnalyzerException {
      List<Followed> all = new ArrayList<>();
      Set<AbstractInsnNode> nested = new HashSet<>();
      for (Map.Entry<AbstractInsnNode, Factory> creation : creations.entrySet()) {
        Frame<Fact> before = frames[graph.index(creation.getKey())];
        if (before != null) { // else nothing leads there
          Followed followed = follow(creation.getKey(), creation.getValue(), before);
          all.add(followed);
          if (followed.factory().isCloseable()) {
            nested.addAll(followed.uses().inside());
          }
        }
      }
      for (Followed followed : all) {
        sites.add(site(followed, nested.contains(followed.creation())));
      }
    }

    private Followed follow(AbstractInsnNode creation, Factory factory, Frame<Fact> before)
        throws AnalyzerException {
      Life life = Life.of(creation, before, graph, facts);
      return new Followed(
          creation,
          factory,
          life,
          new Uses(life, graph, graph.index(creation), facts, program.callees()));
    }

    private Site site(Followed followed, boolean nested) {
      return new Site(
          followed.factory(),
          place(method, followed.creation()),
          followed.life().closing(),
          followed.uses().escapes(),
          nested,
          graph.isInLoop(graph.index(followed.creation()), -1),
          List.copyOf(followed.uses().requests()),
          followed.uses().bytes());
    }
  }

  private record Followed(AbstractInsnNode creation, Factory factory, Life life, Uses uses) {}
}
