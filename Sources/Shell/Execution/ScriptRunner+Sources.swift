import Foundation
import LineEditing
import Platform
import ShellRuntime
import Text

// The execution of `-c` lines, script files and standard input in the given order.
extension ScriptRunner {
  /// Runs the sources, and returns the exit status of the first failure.
  ///
  /// Ctrl-C ends the run with 130 after the write in flight is complete.
  package func run(_ sources: [ScriptSource]) async -> ExitStatus {
    let interrupts = InterruptRelay(shell)
    let work = Task {
      var worst = ExitStatus.success
      for (index, source) in sources.enumerated() {
        if let lines = ScriptRunner.lines(of: sources, from: index) { await shell.begin(lines: lines) }
        let code = await run(source, after: ScriptRunner.lineCount(of: sources[..<index]))
        if worst == .success { worst = code }
        let isOver = await shell.session.hasEnded
        if isOver || (code != .success && !options.keepsGoing && !options.checksOnly) || shell.interruption.isRequested
        {
          if code != .success { await skip(sources, after: index) }
          break
        }
      }
      let cleaned = await shell.cleanUp(of: nil, log)
      if worst == .success { worst = cleaned }
      let code = shell.interruption.isRequested ? ExitStatus.interrupted : worst
      await shell.endScripts(code)
      await shell.cleanUpAfterInterruption(log)
      return code
    }
    return await interrupts.follow(work)
  }

  /// Returns the lines of `-c` that begin at a source, up to the next file, or `nil` if they began before it.
  private static func lines(of sources: [ScriptSource], from index: Int) -> [LogicalLines.Line]? {
    func isLine(_ source: ScriptSource) -> Bool { if case .line = source { true } else { false } }
    guard isLine(sources[index]), index == 0 || !isLine(sources[index - 1]) else { return nil }
    return lines(of: sources[index...].prefix(while: isLine).map(\.lines), after: lineCount(of: sources[..<index]))
  }

  /// Reports the lines of the remaining sources as skipped if there is a report, and stores the clean-up lines of `-c`.
  ///
  /// Standard input isn't read for that.
  private func skip(_ sources: [ScriptSource], after index: Int) async {
    for (index, source) in sources.enumerated().dropFirst(index + 1) {
      switch source {
      case .line:
        for line in ScriptLines(source.lines, after: ScriptRunner.lineCount(of: sources[..<index])) {
          if !options.checksOnly { await shell.addCleanUp(line, of: "-c") }
          log?.recordSkipped(line, in: "-c")
        }
      case .file("-"): continue
      case .file(let path):
        guard let log, let file = try? opened(path) else { continue }
        defer { close(file) }
        for line in ScriptLines(Array(LineReader(file))) { log.recordSkipped(line, in: path) }
      }
    }
  }

  /// Returns the number of `-c` lines, by which later ones are numbered on.
  private static func lineCount(of sources: ArraySlice<ScriptSource>) -> Int {
    sources.reduce(0) { $0 + $1.lines.count }
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

  private func run(_ source: ScriptSource, after count: Int) async -> ExitStatus {
    switch source {
    case .line: return await run(ScriptInput(source.lines, after: count), named: "-c")
    case .file("-"): return await run(input(STDIN_FILENO, isRecorded: true), named: "standard input")
    case .file(let path):
      do {
        let file = try opened(path)
        defer { close(file) }
        return await run(input(file), named: path)
      } catch {
        let failure = CommandError(describing: error)
        await shell.say(failure)
        log?.add(unreadable: path, failure)
        return failure.exitStatus
      }
    }
  }

  private func input(_ file: Int32, isRecorded: Bool = false) -> ScriptInput {
    var status = stat()
    let isRegular = fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    return ScriptInput(LineReader(file), isRecorded: isRecorded, isAtHand: isRegular)
  }
}

/// A source of lines other than the prompt.
package enum ScriptSource: Hashable, Sendable {
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
