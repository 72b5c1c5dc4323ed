import Foundation
import LineEditing
import Platform
import ShellRuntime
import Text

/// The execution of `-c` lines, script files and standard input in the given order.
package struct ScriptRunner {
  /// The options for running a script.
  package struct Options: Hashable, Sendable {
    package var keepsGoing = false
    /// A Boolean value that indicates that lines are checked and not run.
    package var checksOnly = false
    package init() {}
  }

  private let shell: Shell
  private let options: Options
  private let log: ScriptRunLog?

  /// Creates the execution.
  ///
  /// The outcome of each line is also recorded in `log`, for the reports.
  package init(_ shell: Shell, _ options: Options, log: ScriptRunLog? = nil) {
    self.shell = shell
    self.options = options
    self.log = log
  }

  /// Returns the lines of `-c` as one script.
  ///
  /// `count` is the number of lines before them.
  package static func lines(of sources: [[Input]], after count: Int = 0) -> [LogicalLines.Line] {
    var lines: [LogicalLines.Line] = []
    var count = count
    for source in sources {
      for case .line(let line) in ScriptLines(source, after: count) { lines.append(line) }
      count += source.count
    }
    return lines
  }

  /// Returns a script with these options and this log.
  package func script(_ input: ScriptInput, named name: String) -> ShellScript {
    ShellScript(input, named: name, in: shell, options, log: log)
  }

  /// Runs the sources, and returns the exit status of the first failure.
  ///
  /// Ctrl-C ends the run with 130 after the write in flight is complete.
  package func run(_ sources: [ScriptSource]) async -> ExitStatus {
    let interrupts = InterruptRelay(shell)
    let work = Task {
      var worst = ExitStatus.success
      for (index, source) in sources.enumerated() {
        if let lines = ScriptRunner.lines(of: sources, from: index) { await shell.begin(lines: lines) }
        var code = ExitStatus.success
        do throws(FileError) {
          let file = try ScriptRunner.opened(source)
          defer { if let file, file != STDIN_FILENO { close(file) } }
          var script = script(of: source, file, after: ScriptRunner.lineCount(of: sources[..<index]))
          code = await script.run()?.status ?? .success
        } catch {
          code = await sayUnreadable(source, error)
        }
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
        guard let log, let file = try? ScriptRunner.opened(source) else { continue }
        defer { close(file) }
        for line in ScriptLines(Array(LineReader(file))) { log.recordSkipped(line, in: path) }
      }
    }
  }

  /// Returns the number of `-c` lines, by which later ones are numbered on.
  private static func lineCount(of sources: ArraySlice<ScriptSource>) -> Int {
    sources.reduce(0) { $0 + $1.lines.count }
  }

  /// Returns the descriptor of a file or of standard input, or `nil` for a line of `-c`.
  ///
  /// - Throws: `FileError` for a folder and for a file that can't be read.
  private static func opened(_ source: ScriptSource) throws(FileError) -> Int32? {
    guard case .file(let path) = source else { return nil }
    if path == "-" { return STDIN_FILENO }
    let file = open(Paths.existing(path), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw .cannotRead(path: path, errno: errno) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      close(file)
      throw .notAFile(path: path)
    }
    return file
  }

  /// Returns the script of a source; `file` is its descriptor, and `count` the number of `-c` lines before it.
  private func script(of source: ScriptSource, _ file: Int32?, after count: Int) -> ShellScript {
    guard case .file(let path) = source, let file else {
      return script(ScriptInput(source.lines, after: count), named: "-c")
    }
    let isStandardInput = path == "-"
    return script(
      ScriptInput(reading: file, isRecorded: isStandardInput), named: isStandardInput ? "standard input" : path)
  }

  /// Reports a file that can't be read, and returns the exit status.
  private func sayUnreadable(_ source: ScriptSource, _ error: FileError) async -> ExitStatus {
    let failure = CommandError(describing: error)
    await shell.say(failure)
    if case .file(let path) = source { log?.add(unreadable: path, failure) }
    return failure.exitStatus
  }
}

extension ScriptInput {
  /// Creates the input of a descriptor.
  ///
  /// `isRecorded` means that the lines are in no file, so that they are recorded with the run as far as they are known.
  fileprivate init(reading file: Int32, isRecorded: Bool = false) {
    var status = stat()
    let isRegular = fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    self.init(LineReader(file), isRecorded: isRecorded, isAtHand: isRegular)
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
