import Foundation
import Synchronization

/// One process from its start to its end, so that no signal goes to another one that has its number afterwards.
final class ChildLife: Sendable {
  private struct State {
    var child: pid_t?
    var signal: Int32?
  }

  private let state = Mutex(State())

  /// It is to end, now or as soon as it lives.
  func end(by signal: Int32) {
    state.withLock { state in
      state.signal = signal
      if let child = state.child { kill(child, signal) }
    }
  }

  /// It is to end as soon as it lives; one that lives already goes on.
  func endUnlessBegun(by signal: Int32) {
    state.withLock { state in
      if state.child == nil { state.signal = signal }
    }
  }

  func begin(_ child: pid_t) {
    state.withLock { state in
      guard state.child == nil else { return }
      state.child = child
      if let signal = state.signal { kill(child, signal) }
    }
  }

  /// Waits for its end.
  func ending(of started: Result<pid_t, ErrorNumber>) -> ChildProgram.Ending {
    switch started {
    case .failure(let error): return .notStarted(error.code)
    case .success(let child):
      begin(child)
      let status = reap(child)
      return status & 0x7F == 0 ? .exit((status >> 8) & 0xFF) : .signal(status & 0x7F)
    }
  }

  private func reap(_ child: pid_t) -> Int32 {
    // Looked at first and taken under the lock.
    var facts = siginfo_t()
    while true {
      let result = waitid(P_PID, id_t(child), &facts, WEXITED | WSTOPPED | WNOWAIT)
      if result != 0, errno == EINTR { continue }
      guard result == 0, facts.si_code == CLD_STOPPED else { break }
      _ = waitid(P_PID, id_t(child), &facts, WSTOPPED | WNOHANG)
      stopToo(child)
    }
    return state.withLock { state in
      state.child = nil
      var status: Int32 = 0
      waitpid(child, &status, 0)
      return status
    }
  }

  /// The program has stopped and left the terminal in order: now we may, and whoever started us gets it back.
  private func stopToo(_ child: pid_t) {
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

/// How a run ended, for scripts (see Language).
package enum ExitStatus: Int32, Hashable, Sendable {
  case success = 0
  /// The server refused, or the thing does not exist.
  case refused = 1
  /// The line could not be understood; nothing was sent.
  case misread = 2
  /// The server could not be reached; nothing was applied.
  case unreachable = 3
  /// Not confirmed, read-only, not logged in, outlier.
  case heldBack = 4
  /// An outcome is still unknown and is kept in the journal.
  case unknown = 5
  case assertionFailed = 6
  /// A batch ended with some items not done.
  case incomplete = 7
  case interrupted = 130
  /// The terminal went away, or SIGHUP came.
  case hungUp = 129
  /// SIGQUIT came, as from Ctrl-\ while a command runs.
  case quit = 131
  /// SIGTERM came.
  case terminated = 143

  /// The end by a signal, 128 and its number.
  package init(signal: Int32) { self = ExitStatus(rawValue: 128 + signal) ?? .interrupted }
}
