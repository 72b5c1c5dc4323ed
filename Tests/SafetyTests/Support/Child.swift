import Foundation
import Synchronization
import TerminalTesting
import TestSupport

/// The real program in a separate process, with its output read as it arrives.
final class Child: Sendable {
  /// The exit code and output of a process.
  struct Ended: Sendable {
    /// The exit code, or the negative number of the signal that ended it.
    var code: Int32
    var output: String
    var errors: String
  }

  let process: pid_t
  private let isReaped = Mutex(false)
  private let output: Stream
  private let errors: Stream

  init(_ program: String, _ arguments: [String], environment: [String: String]) throws {
    let (standardOutput, standardError) = (try Spawn.pipe(), try Spawn.pipe())
    let (made, problem) = Spawn.start(
      program, [program] + arguments, environment: environment.map { $0.key + "=" + $0.value }, ownSession: true
    ) { actions in
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, standardOutput.writeEnd, 1)
      posix_spawn_file_actions_adddup2(&actions, standardError.writeEnd, 2)
    }
    close(standardOutput.writeEnd)
    close(standardError.writeEnd)
    output = Stream(standardOutput.readEnd)
    errors = Stream(standardError.readEnd)
    guard problem == 0 else { throw POSIXError(POSIXErrorCode(rawValue: problem) ?? .EINVAL) }
    process = made
  }

  /// Kills the process with SIGKILL if it still runs.
  func kill() {
    gets(SIGKILL)
  }

  /// Sends another signal, where SIGINT is Ctrl-C.
  func gets(_ signal: Int32) {
    isReaped.withLock { if !$0 { _ = Foundation.kill(process, signal) } }
  }

  /// Returns when the process has printed the word or ended, or after the time limit.
  ///
  /// `act` is called immediately, however busy the other tests are.
  func says(_ word: String, then act: @escaping @Sendable () -> Void = {}) async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        try? Waiting.blocking("'\(word)'") { self.errorsSoFar.contains(word) || self.isOver }
        act()
        continuation.resume()
      }
    }
  }

  var errorsSoFar: String { errors.text }

  /// A Boolean value that indicates that the process has ended, whether or not it was reaped.
  var isOver: Bool {
    isReaped.withLock { reaped in
      var facts = siginfo_t()
      facts.si_signo = 0
      return reaped || (waitid(P_PID, id_t(process), &facts, WEXITED | WNOWAIT | WNOHANG) == 0 && facts.si_signo != 0)
    }
  }

  func ended() async -> Ended {
    let code = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: self.reap()) }
    }
    await output.end()
    await errors.end()
    return Ended(code: code, output: output.text, errors: errors.text)
  }

  private func reap() -> Int32 {
    // A process that hangs is killed with those that it started or traces, so that the test fails and continues.
    if (try? Waiting.blocking("its end") { isOver }) == nil { _ = Foundation.kill(-process, SIGKILL) }
    // It is observed first and reaped under the lock, so that no signal is sent to another process with the same id.
    var facts = siginfo_t()
    while waitid(P_PID, id_t(process), &facts, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    return isReaped.withLock { reaped in
      reaped = true
      var status: Int32 = 0
      waitpid(process, &status, 0)
      return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    }
  }
}
