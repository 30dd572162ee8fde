package dev.rockpool.cli.scan;

import dev.rockpool.cli.scan.flow.Site;

/**
 * A site, and which class file it is in.
 *
 * @param entry the path of the class file in its artifact
 * @param release the first release of Java that uses it, in a jar for several; 0 if all do
 * @param site what was found
 */
record Finding(String entry, int release, Site site) {
  /** As in a stack trace: {@code com.acme.Point.make(Point.java:12)}. */
  String location() {
    Site.Place place = site.place();
    String source = place.source() == null ? "Unknown Source" : place.source();
    String line = place.line() < 0 ? "" : ":" + place.line();
    return place.type() + "." + place.method() + "(" + source + line + ")";
  }
}
