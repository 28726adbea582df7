#include <layerkey/store/detail/lmdb_guard.hpp>

#include <pthread.h>
#include <ucontext.h>

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstring>
#include <mutex>
#include <utility>

namespace layerkey::detail {
namespace {

struct lmdb_guard_frame {
  sigjmp_buf jump;
  lmdb_guard_frame* outer;
};

// Read in signal handlers of any thread, where it must not need memory first.
__attribute__((tls_model("initial-exec"))) thread_local lmdb_guard_frame* lmdb_guard_current =
    nullptr;
__attribute__((tls_model("initial-exec"))) thread_local bool lmdb_guard_chaining = false;

constexpr int lmdb_guard_signals[] = {SIGBUS, SIGSEGV, SIGXFSZ};
struct sigaction lmdb_guard_before[3];

int lmdb_guard_place(int signal) { return signal == SIGBUS ? 0 : signal == SIGSEGV ? 1 : 2; }

void lmdb_guard_default(int signal, bool sent) {
  struct sigaction plain = {};
  plain.sa_handler = SIG_DFL;
  sigemptyset(&plain.sa_mask);
  sigaction(signal, &plain, nullptr);
  // A fault comes again as soon as this returns.
  if (sent || signal == SIGXFSZ) raise(signal);
}

void lmdb_on_signal(int signal, siginfo_t* info, void* context) {
  bool const sent = info->si_code <= 0;
  lmdb_guard_frame* const frame = lmdb_guard_current;
  if (frame && !sent) {
    // The write comes back with EFBIG.
    if (signal == SIGXFSZ) return;
    // What runs signal handlers may have blocked more than was asked for, as sanitizers do.
    ::pthread_sigmask(SIG_SETMASK, &static_cast<ucontext_t const*>(context)->uc_sigmask, nullptr);
    siglongjmp(frame->jump, signal);
  }
  if (frame && signal == SIGXFSZ) return;
  struct sigaction const before = lmdb_guard_before[lmdb_guard_place(signal)];
  bool const chained = lmdb_guard_chaining;
  if (chained || (!(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_DFL))
    return lmdb_guard_default(signal, sent);
  if (!(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_IGN) {
    if (!sent && signal != SIGXFSZ) lmdb_guard_default(signal, sent);
    return;
  }
  // A handler that passes on to this one would go round for ever.
  lmdb_guard_chaining = true;
  if (before.sa_flags & SA_SIGINFO)
    before.sa_sigaction(signal, info, context);
  else
    before.sa_handler(signal);
  lmdb_guard_chaining = false;
}

}  // namespace

void lmdb_install_guard() {
  static std::mutex& installing = *new std::mutex;
  std::lock_guard const lock(installing);
  for (int const signal : lmdb_guard_signals) {
    struct sigaction now = {};
    if (sigaction(signal, nullptr, &now) != 0) continue;
    if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == lmdb_on_signal) continue;
    lmdb_guard_before[lmdb_guard_place(signal)] = now;
    struct sigaction ours = {};
    ours.sa_sigaction = lmdb_on_signal;
    // Not deferred: the jump out of the handler would leave the signal blocked.
    ours.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK | SA_RESTART;
    sigemptyset(&ours.sa_mask);
    sigaction(signal, &ours, nullptr);
  }
}

__attribute__((noinline)) int lmdb_guarded(void (*call)(void*), void* with) {
  lmdb_guard_frame frame;
  frame.outer = lmdb_guard_current;
  int const end = sigsetjmp(frame.jump, 0);
  if (end == 0) {
    lmdb_guard_current = &frame;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    call(with);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  lmdb_guard_current = frame.outer;
  return end;
}

void lmdb_assertion_failed(void const*) {
  if (lmdb_guard_current) siglongjmp(lmdb_guard_current->jump, lmdb_assertion);
}

char const* lmdb_guard_says(int end) {
  switch (end) {
    case 0:
      return "nothing";
    case SIGBUS:
      return "the file was cut or cannot be read while it was mapped (SIGBUS)";
    case SIGSEGV:
      return "the file leads outside of itself (SIGSEGV)";
    case lmdb_assertion:
      return "LMDB found it inconsistent";
    default:
      return "a signal ended a call";
  }
}

}  // namespace layerkey::detail
