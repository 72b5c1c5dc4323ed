import Foundation
import Glibc
import ShellRuntime
import TerminalTesting
import TestSupport

/// The program without a terminal, as in a script or a pipe: its streams are files.
final class PipedProgram {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// The output and the exit code of a run.
  struct Result: Equatable {
    var out: String
    var err: String
    var code: Int32
  }

  let processID: pid_t
  private let folder: TemporaryHome
  private var status: Int32?

  /// - Throws: ``Failure`` if it can't be started.
  init(
    _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:],
    program: String = builtProgram("openmarket")
  ) throws {
    folder = try TemporaryHome()
    let paths = [try folder.file("in", input), try folder.file("out", []), try folder.file("err", [])]
    var values = ["LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "TERM": "xterm-256color"]
    values.merge(environment) { $1 }
    let (id, problem) = Spawn.start(program, [program] + arguments, environment: values.map { "\($0)=\($1)" }) {
      actions in
      for (number, path) in paths.enumerated() {
        posix_spawn_file_actions_addopen(&actions, Int32(number), path, number == 0 ? O_RDONLY : O_WRONLY, 0)
      }
    }
    guard problem == 0 else { throw Failure(description: "\(program) cannot be started: errno \(problem)") }
    processID = id
  }

  deinit {
    if status == nil { kill(processID, SIGKILL) }
    if status == nil { waitpid(processID, nil, 0) }
  }

  /// Waits for the end.
  ///
  /// The deadline only ends a test that would hang.
  func result() throws -> Result {
    try wait("the end") { _ in self.hasEnded }
    let status = status ?? 0
    return Result(
      out: try text("out"), err: try text("err"),
      code: status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F))
  }

  /// Waits until the output satisfies a condition, and returns it.
  func output(until isReached: (String) -> Bool) throws -> String {
    try wait("its output") { isReached($0) }
    return try text("out")
  }

  func wait(_ what: String, until isReached: (String) -> Bool) throws {
    let end = ContinuousClock.now + Waiting.timeLimit
    while !isReached(try text("out")) {
      guard ContinuousClock.now < end else {
        throw Failure(description: "\(what) never came\n\(try text("out"))\n\(try text("err"))")
      }
      usleep(3_000)
    }
  }

  private var hasEnded: Bool {
    var now: Int32 = 0
    if status == nil, waitpid(processID, &now, WNOHANG) == processID { status = now }
    return status != nil
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: folder.file(name))), as: UTF8.self)
  }
}

/// Runs the program to its end.
func openmarket(
  _ arguments: [String], input: String = "", environment: [String: String] = [:]
) throws -> PipedProgram.Result {
  try PipedProgram(arguments, input: Array(input.utf8), environment: environment).result()
}
