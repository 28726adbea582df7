// Compiles although it is listed as a file that does not.
// expect: static assertion failed
#ifdef SHOW_ERROR
static_assert(sizeof(char) == 1, "a char is a byte");
#endif
