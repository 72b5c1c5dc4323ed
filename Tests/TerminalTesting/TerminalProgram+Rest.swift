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

  /// The processor time of the program in clock ticks, or `nil` while one of its threads works.
  var processorTimeAtRest: Int? {
    let tasks = "/proc/\(processID)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    guard threads.allSatisfy({ status(at: "\(tasks)/\($0)/stat")?.first == "S" }),
      let words = status(at: "/proc/\(processID)/stat"), words.count > 12
    else { return nil }
    return Int(words[11]).flatMap { user in Int(words[12]).map { user + $0 } }
  }

  /// Returns the words of a status after the name, which may contain any characters, including spaces and parentheses.
  private func status(at path: String) -> [Substring]? {
    (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: ")").last?.split(separator: " ")
  }

  /// Reads the pending output.
  package func catchUp() { while drain(wait: 60) {} }

  /// Returns the state of a process (proc_pid_stat(5)), or `nil` if it is not in the group.
  private func state(of process: String, in group: pid_t) -> String? {
    guard let words = status(at: "/proc/\(process)/stat"), words.count > 2, words[2] == "\(group)" else { return nil }
    return String(words[0])
  }
}
