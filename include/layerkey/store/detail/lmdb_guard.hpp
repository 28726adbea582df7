// Calls into LMDB that may meet a file which was changed under its map: such a call ends, and the
// process goes on.
#pragma once

namespace layerkey::detail {

// Makes SIGBUS, SIGSEGV and SIGXFSZ end guarded calls; whoever handled them before still gets those
// that come from elsewhere. Handlers that a program installs later have to pass on what is not
// theirs.
void lmdb_install_guard();

// Calls it. What comes back is 0, or the signal that ended it, or lmdb_assertion. The call is left
// by a jump then: it may call C functions only and may own nothing.
int lmdb_guarded(void (*call)(void*), void* with);

constexpr int lmdb_assertion = -1;

// For mdb_env_set_assert.
void lmdb_assertion_failed(void const* sentence);

// What an end by a signal says, for people.
char const* lmdb_guard_says(int end);

}  // namespace layerkey::detail
