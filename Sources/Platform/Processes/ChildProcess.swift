import CGlibc
import Foundation
import Glibc
import Synchronization

/// The life of one child process.
///
/// It ensures that no signal reaches another process that got the same process id afterwards.
final class ChildProcess: Sendable {
  private struct State {
    var child: pid_t?
    var signal: Int32?
  }

  private let state = Mutex(State())

  /// Sends a signal to the process now, or as soon as it has been started.
  func sendSignal(by signal: Int32) {
    state.withLock { state in
      state.signal = signal
      if let child = state.child { kill(child, signal) }
    }
  }

  /// Sends a signal to the process as soon as it has been started; one that runs already gets none.
  func cancelIfNotStarted(by signal: Int32) {
    state.withLock { state in
      if state.child == nil { state.signal = signal }
    }
  }

  func didStart(_ child: pid_t) {
    state.withLock { state in
      guard state.child == nil else { return }
      state.child = child
      if let signal = state.signal { kill(child, signal) }
    }
  }

  /// Waits for the end of the process.
  func waitForExit(of started: Result<pid_t, Errno>) -> Subprocess.Ending {
    switch started {
    case .failure(let error): return .failedToStart(error.code)
    case .success(let child):
      didStart(child)
      let status = reap(child)
      return status & 0x7F == 0 ? .exit((status >> 8) & 0xFF) : .signal(status & 0x7F)
    }
  }

  private func reap(_ child: pid_t) -> Int32 {
    // Waited for without reaping (`WNOWAIT`) and reaped under the lock.
    var facts = siginfo_t()
    while true {
      let result = waitid(P_PID, id_t(child), &facts, WEXITED | WSTOPPED | WNOWAIT)
      if result != 0, errno == EINTR { continue }
      guard result == 0, facts.si_code == CLD_STOPPED else { break }
      _ = waitid(P_PID, id_t(child), &facts, WSTOPPED | WNOHANG)
      suspendSelf(child)
    }
    return state.withLock { state in
      state.child = nil
      var status: Int32 = 0
      waitpid(child, &status, 0)
      return status
    }
  }

  /// Stops this process after the child has stopped and restored the terminal, so that the parent shell gets the
  /// terminal back.
  private func suspendSelf(_ child: pid_t) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    signal(SIGTSTP, SIG_DFL)
    raise(SIGTSTP)
    signal(SIGTSTP, SIG_IGN)
    kill(child, SIGCONT)
  }
}

/// A pipe with close-on-exec, which other programs inherit only if they are given one of its ends.
struct CloseOnExecPipe {
  let readEnd: Int32
  let writeEnd: Int32

  /// Creates a pipe.
  ///
  /// Returns `nil` and sets `errno` if no descriptors are left.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC) == 0 else { return nil }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }
}

/// A flag that can be taken once, for a wait that must happen only once: things still missing after it are considered
/// absent.
package final class OnceFlag: Sendable {
  private let isLeft = Mutex(true)

  package init() {}

  /// Returns true on the first call only.
  package func claim() -> Bool {
    isLeft.withLock { left in
      defer { left = false }
      return left
    }
  }
}
