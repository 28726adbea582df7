// The expected message comes with a second error.
#ifdef SHOW_ERROR
static_assert(sizeof(char) == 2, "a sentence");
static_assert(sizeof(char) == 3, "one more");
#endif
// expect: a sentence
