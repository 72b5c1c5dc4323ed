import Engine
import Failures
import Foundation
import LineEditing
import Platform
import Presentation
import Shell
import Text

/// Runs `-c` lines, script files and standard input, in the order they were given.
struct ScriptSources {
  private let sources: [ScriptSource]
  private let manner: Script.Manner
  private let log: RunLog?

  init(_ sources: [ScriptSource], _ manner: Script.Manner, log: RunLog? = nil) {
    self.sources = sources
    self.log = log
    self.manner = manner
  }

  /// The first failure's code; Ctrl-C ends the script with 130, once what is being written has come to its end.
  func run(on shell: Shell) async -> ExitStatus {
    // Line by line on the thread that waits for it; what is done side by side goes to the others.
    let work = Task(executorPreference: WorkThread.first) { await runAll(on: shell) }
    let watch = Signals.watch([SIGINT]) { _ in Task { await shell.interrupt(work) } }
    defer { Signals.end(watch) }
    return await shell.interruption.departure.waiting(for: work)
  }

  private func runAll(on shell: Shell) async -> ExitStatus {
    var worst = ExitStatus.success
    for source in sources {
      let code = await run(source, on: shell)
      if worst == .success { worst = code }
      let isOver = await shell.session.isOver
      if isOver || (code != .success && !manner.keepsGoing && !manner.checksOnly) || shell.interruption.isAsked {
        break
      }
    }
    return shell.interruption.isAsked ? .interrupted : worst
  }

  private func run(_ source: ScriptSource, on shell: Shell) async -> ExitStatus {
    switch source {
    case .line(let line):
      return await Script(shell, manner, log: log).run(
        line.rows.filter { !$0.isEmpty }.map { .line($0) }, named: "-c")
    case .file(let path):
      if path == "-" {
        return await Script(shell, manner, log: log).run(PlainLines(STDIN_FILENO), named: "standard input")
      }
      let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      guard file >= 0 else {
        let failure = Failure(describing: FileError.cannotRead(path: path, errno: errno))
        await shell.say(failure.message)
        return failure.code
      }
      defer { close(file) }
      var status = stat()
      guard fstat(file, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
        let failure = Failure(describing: FileError.notAFile(path: path))
        await shell.say(failure.message)
        return failure.code
      }
      return await Script(shell, manner, log: log).run(PlainLines(file), named: path)
    }
  }
}

/// Where lines come from when nobody types them.
enum ScriptSource: Hashable, Sendable {
  /// `-c`
  case line(String)
  /// `-f`; `-` is standard input.
  case file(String)
}
