/** Makes the pages of the project's site from its Markdown, and checks their links. */
@NullMarked
package dev.rockpool.site;

import org.jspecify.annotations.NullMarked;
