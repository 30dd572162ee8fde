/* What native code does wrong with memory that Java gives it. */
#include <string.h>

static char *remembered;

void fill_at(char *to, long long offset, int value, long long count) { memset(to + offset, value, count); }

void copy(char *to, const char *text) { strcpy(to, text); }

void remember(char *address) { remembered = address; }

long long remembered_address(void) { return (long long) remembered; }

void write_remembered(long long offset, int value) { remembered[offset] = (char) value; }

int read_remembered(long long offset) { return (unsigned char) remembered[offset]; }
