/* An allocator that counts what is done to memory of one size. */
#include <stddef.h>
extern void *__libc_calloc(size_t, size_t);
extern void __libc_free(void *);
static void *last;
static int allocated, freed;
void *calloc(size_t count, size_t size) {
  void *memory = __libc_calloc(count, size);
  if (count == 1 && size == 123456) last = memory, allocated++;
  return memory;
}
void free(void *memory) {
  if (memory && memory == last) last = NULL, freed++;
  __libc_free(memory);
}
int calls(void) { return allocated + freed; }
