// Does not compile, but says something else than it should.
#ifdef SHOW_ERROR
static_assert(sizeof(char) == 2, "a sentence");
#endif
// expect: another sentence
