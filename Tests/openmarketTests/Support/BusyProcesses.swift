import Foundation
import Glibc

/// Four processes that compute until ``end()``, or until the tests end.
///
/// Their number does not depend on the machine. With many cores they delay nothing.
final class BusyProcesses {
  private let programs: [Process]

  init() throws {
    programs = try (1...4).map { _ in
      let program = Process()
      program.executableURL = URL(filePath: "/bin/sh")
      program.arguments = [
        "-c", "while kill -0 \(getpid()); do i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done; done",
      ]
      try program.run()
      return program
    }
  }

  /// Ends the processes with SIGKILL, because Foundation may start them with SIGTERM blocked.
  func end() {
    for program in programs { kill(program.processIdentifier, SIGKILL) }
    for program in programs { program.waitUntilExit() }
  }
}
