import Foundation
import Glibc

extension TerminalProgram {
  /// Indicates whether all programs in the foreground sleep, which after a prompt means that they wait for a key.
  ///
  /// A pager shows its prompt a moment before it handles signals, and loses one that arrives in between.
  package var isAtRest: Bool {
    let group = tcgetpgrp(terminal)
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let states = processes.filter { $0.allSatisfy(\.isNumber) }.compactMap { state(of: $0, in: group) }
    return !states.isEmpty && states.allSatisfy { $0 == "S" }
  }

  /// Reads the pending output.
  package func catchUp() { while drain(wait: 60) {} }

  /// Returns the state of a process (proc_pid_stat(5)), or `nil` if it is not in the group.
  private func state(of process: String, in group: pid_t) -> String? {
    // The name before it may contain any characters, including spaces and parentheses.
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let words = text.split(separator: ")").last?.split(separator: " "), words.count > 2, words[2] == "\(group)"
    else { return nil }
    return String(words[0])
  }
}
