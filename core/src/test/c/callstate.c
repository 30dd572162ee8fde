/* What CallState's tests call: functions that leave the error code they are told to. */
#include <errno.h>
#include <stddef.h>

int int_with(int result, int code) { errno = code; return result; }

long long long_with(long long result, int code) { errno = code; return result; }

void *pointer_with(void *result, int code) { errno = code; return result; }

/* Calls back first, and leaves its own code after that. */
int int_after(int (*callback)(int), int argument, int result, int code) {
  int called = callback(argument);
  errno = code;
  return called == 0 ? result : called;
}
