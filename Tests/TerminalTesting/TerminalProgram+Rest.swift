import Foundation
import Glibc

extension TerminalProgram {
  /// Whether all programs that have the terminal sleep, which after a prompt means that they wait for a key.
  ///
  /// A pager shows its prompt a moment before it listens to signals; one that comes in between it forgets.
  package var isAtRest: Bool {
    let group = tcgetpgrp(terminal)
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let states = processes.filter { $0.allSatisfy(\.isNumber) }.compactMap { state(of: $0, in: group) }
    return !states.isEmpty && states.allSatisfy { $0 == "S" }
  }

  /// Reads what is being drawn.
  package func catchUp() { while drain(wait: 60) {} }

  /// The state letter of a process of the group (proc_pid_stat(5)); nil of one of another.
  private func state(of process: String, in group: pid_t) -> String? {
    // The name before it may hold anything, spaces and brackets too.
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let words = text.split(separator: ")").last?.split(separator: " "), words.count > 2, words[2] == "\(group)"
    else { return nil }
    return String(words[0])
  }
}
