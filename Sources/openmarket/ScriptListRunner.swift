import Foundation
import LineEditing
import Platform
import Shell
import ShellRuntime
import Text

/// The execution of `-c` lines, script files and standard input in the given order.
struct ScriptListRunner {
  private let sources: [ScriptSource]
  private let options: ScriptRunner.Options
  private let log: ScriptRunLog?

  init(_ sources: [ScriptSource], _ options: ScriptRunner.Options, log: ScriptRunLog? = nil) {
    self.sources = sources
    self.log = log
    self.options = options
  }

  /// Runs the sources, and returns the exit status of the first failure.
  ///
  /// Ctrl-C ends the run with 130 after the write in flight is complete.
  func run(on shell: Shell) async -> ExitStatus {
    let interrupts = InterruptRelay(shell)
    let work = Task {
      let code = await runAll(on: shell)
      await shell.cleanUpAfterInterruption(log)
      return code
    }
    return await interrupts.follow(work)
  }

  private func runAll(on shell: Shell) async -> ExitStatus {
    var worst = ExitStatus.success
    for (index, source) in sources.enumerated() {
      if let lines = lines(from: index) { await shell.begin(lines: lines) }
      let code = await run(source, after: lineCount(before: index), on: shell)
      if worst == .success { worst = code }
      let isOver = await shell.session.hasEnded
      if isOver || (code != .success && !options.keepsGoing && !options.checksOnly) || shell.interruption.isRequested {
        if code != .success { await skip(after: index, on: shell) }
        break
      }
    }
    let cleaned = await shell.cleanUp(of: nil, log)
    if worst == .success { worst = cleaned }
    let code = shell.interruption.isRequested ? ExitStatus.interrupted : worst
    await shell.endScripts(code)
    return code
  }

  /// Returns the lines of `-c` that begin at a source, up to the next file, or `nil` if they began before it.
  private func lines(from index: Int) -> [LogicalLines.Line]? {
    func isLine(_ source: ScriptSource) -> Bool { if case .line = source { true } else { false } }
    guard isLine(sources[index]), index == 0 || !isLine(sources[index - 1]) else { return nil }
    return ScriptRunner.lines(
      of: sources[index...].prefix(while: isLine).map(\.lines), after: lineCount(before: index))
  }

  /// Reports the lines of the remaining sources as skipped if there is a report, and keeps the clean-up lines of `-c`.
  ///
  /// Standard input isn't read for that.
  private func skip(after index: Int, on shell: Shell) async {
    for (index, source) in sources.enumerated().dropFirst(index + 1) {
      let (runner, count) = (script(on: shell), lineCount(before: index))
      switch source {
      case .line:
        if !options.checksOnly { await runner.keepCleanUps(source.lines, named: "-c", after: count) }
        if log != nil { runner.skip(source.lines, named: "-c", after: count) }
      case .file("-"): continue
      case .file(let path):
        guard log != nil, let file = try? opened(path) else { continue }
        defer { close(file) }
        runner.skip(Array(LineReader(file)), named: path)
      }
    }
  }

  /// Returns the number of `-c` lines before a source, which are numbered on.
  private func lineCount(before index: Int) -> Int { sources[..<index].reduce(0) { $0 + $1.lines.count } }

  private func script(on shell: Shell, from file: Int32? = nil) -> ScriptRunner {
    var status = stat()
    let isRegular = file.map { fstat($0, &status) == 0 && status.st_mode & S_IFMT == S_IFREG } ?? true
    return ScriptRunner(shell, options, log: log, readsRest: isRegular)
  }

  /// - Throws: `FileError` for a folder and for a file that can't be read.
  private func opened(_ path: String) throws(FileError) -> Int32 {
    let file = open(Paths.existing(path), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw .cannotRead(path: path, errno: errno) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      close(file)
      throw .notAFile(path: path)
    }
    return file
  }

  private func run(_ source: ScriptSource, after count: Int, on shell: Shell) async -> ExitStatus {
    switch source {
    case .line: return await script(on: shell).run(source.lines, named: "-c", after: count)
    case .file("-"):
      return await script(on: shell, from: STDIN_FILENO).run(
        LineReader(STDIN_FILENO), named: "standard input", isRecorded: true)
    case .file(let path):
      do {
        let file = try opened(path)
        defer { close(file) }
        return await script(on: shell, from: file).run(LineReader(file), named: path)
      } catch {
        let failure = CommandError(describing: error)
        await shell.say(failure)
        log?.add(unreadable: path, failure)
        return failure.exitStatus
      }
    }
  }
}

/// A source of lines other than the prompt.
enum ScriptSource: Hashable, Sendable {
  /// A line of `-c`.
  case line(String)
  /// The path of `-f`, where `-` is standard input.
  case file(String)

  /// The lines of `-c`; those of a file are read when they are run.
  var lines: [Input] {
    switch self {
    case .line(let line): line.lines.filter { !$0.isEmpty }.map { .line($0) }
    case .file: []
    }
  }
}
