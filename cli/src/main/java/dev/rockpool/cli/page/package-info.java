/**
 * Tables for the terminal, documents and pages; pages of HTML that need nothing else, with charts
 * and flame graphs.
 *
 * <p>{@link dev.rockpool.cli.page.Page} puts content into {@code page.html}, which is a page that
 * works by itself, with sample content. All text is in the page as text; charts are added to
 * tables, and never the only place of a number. A {@code Glossary} has words lead to their
 * meanings.
 */
@NullMarked
package dev.rockpool.cli.page;

import org.jspecify.annotations.NullMarked;
