import CommandLanguage
import Foundation
import LineEditing
import Platform
import ShellRuntime
import WriteJournal

/// The execution of lines from `-c`, `-f` and a standard input that isn't a terminal.
package struct ScriptRunner {
  /// The options for running a script.
  package struct Options: Hashable, Sendable {
    package var keepsGoing = false
    /// A Boolean value that indicates that lines are checked and not run.
    package var checksOnly = false
    package init() {}
  }

  let shell: Shell
  let options: Options
  let log: ScriptRunLog?
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

  /// Runs lines until one fails, or to the end with `--keep-going`, and returns the exit status of the first failure.
  package func run(_ input: ScriptInput, named name: String) async -> ExitStatus {
    var worst = ExitStatus.success
    var hasStopped = false
    await shell.begin(script: name, isReported: log != nil)
    var (lines, known, following) = (input.lines, input.known, input.following)
    var lastKnown = 0
    while let line = lines.next() {
      if known.isEmpty, let following {
        known = [line.text] + ScriptLines(following().lines, after: lines.number).map(\.text)
      }
      if !options.checksOnly, !hasStopped, let status = await shell.enter(line, of: known) { return status }
      if let following, !hasStopped, line.number > lastKnown {
        let input = following()
        let rest = [line] + ScriptLines(input.lines, after: lines.number)
        lastKnown = rest.last?.number ?? 0
        await shell.record(rest, isWhole: input.isWhole)
      }
      if hasStopped {
        log?.recordSkipped(line, in: name)
        if !options.checksOnly { await shell.addCleanUp(line, of: name) }
        continue
      }
      let code = await step(line, name)
      if worst == .success { worst = code }
      await shell.setCleanUpLines(at: line.number, in: name)
      if await shell.session.hasEnded { break }
      guard shouldStop(code) else { continue }
      // The remaining lines are read only for a report and for clean-up.
      if log == nil, !input.isAtHand { break }
      hasStopped = true
    }
    // Those of `-c` wait for the end of all lines.
    if name == "-c" { return worst }
    let code = await shell.cleanUp(of: name, log)
    return worst == .success ? code : worst
  }

  private func step(_ line: ScriptLine, _ name: String) async -> ExitStatus {
    switch line {
    case .unusable(let reason, let number):
      await shell.say(CommandError(reason.code, reason.message))
      await shell.printLocation(of: nil, at: number, in: name)
      log?.add(line, in: name, ScriptRunLog.Ending(code: reason.code, message: reason.message))
      return reason.code
    case .line(let whole):
      log?.begin()
      await shell.begin(whole)
      let code = options.checksOnly ? await shell.check(whole.text) : await shell.run(whole.text)
      if code != .success { await shell.printLocation(of: whole.text, at: whole.number, in: name) }
      if let log {
        log.add(
          line, in: name,
          ScriptRunLog.Ending(
            code: code, message: await shell.failure, evidence: await shell.evidence, checks: await shell.checks))
      }
      return code
    }
  }

  private func shouldStop(_ code: ExitStatus) -> Bool {
    if code == .interrupted || shell.interruption.isRequested { return true }
    return code != .success && !options.keepsGoing && !options.checksOnly
  }
}

/// The lines of a script, and what is known of those that weren't read yet.
package struct ScriptInput {
  let lines: ScriptLines
  /// The texts of all lines, or none if they are read one by one.
  let known: [String]
  /// Returns the lines that can be read now without waiting, or `nil` if the lines are in a file.
  let following: (() -> (lines: [Input], isWhole: Bool))?
  /// A Boolean value that indicates that the lines after a failure can be read without waiting, for their clean-up lines.
  let isAtHand: Bool

  /// Creates the input of lines in memory.
  ///
  /// `count` is the number of lines of the same name before them.
  package init(_ lines: [Input], after count: Int = 0) {
    self.lines = ScriptLines(lines, after: count)
    known = ScriptLines(lines, after: count).map(\.text)
    following = nil
    isAtHand = true
  }

  /// Creates the input of lines that are read one by one.
  ///
  /// `isRecorded` means that they are in no file, so that they are recorded with the run as far as they are known.
  package init(_ reader: LineReader, isRecorded: Bool = false, isAtHand: Bool = true) {
    var reader = reader
    lines = ScriptLines { reader.next() }
    known = []
    following = isRecorded ? { reader.availableLines() } : nil
    self.isAtHand = isAtHand
  }
}

/// The lines of a script file.
enum ScriptFile {
  /// The path of the file that standard input reads from its beginning, or `nil` for a pipe or a removed file.
  package static var pathOfStandardInput: String? {
    var (input, named) = (stat(), stat())
    guard fstat(STDIN_FILENO, &input) == 0, input.st_mode & S_IFMT == S_IFREG, lseek(STDIN_FILENO, 0, SEEK_CUR) == 0,
      let path = realpath("/proc/self/fd/\(STDIN_FILENO)", nil)
    else { return nil }
    defer { free(path) }
    guard stat(path, &named) == 0, named.st_dev == input.st_dev, named.st_ino == input.st_ino else { return nil }
    return String(cString: path)
  }

  /// Returns the lines of a file.
  ///
  /// Never blocks on a FIFO.
  ///
  /// - Throws: `FileError` if it can't be read or isn't a regular file.
  static func lines(_ path: String) throws(FileError) -> [Input] {
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw .cannotRead(path: path, errno: errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    return Array(LineReader(file))
  }

  /// Returns the canonical path of a file, to detect a script that runs itself.
  static func canonicalPath(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}

/// A logical line of a script, joined from physical lines.
package enum ScriptLine {
  case line(LogicalLines.Line)
  case unusable(UnusableLine, number: Int)

  package var number: Int {
    switch self {
    case .line(let line): line.number
    case .unusable(_, let number): number
    }
  }

  /// The text, which is empty for a line that can't be used.
  var text: String { (try? usableText) ?? "" }

  /// The text of a line that can be used; otherwise reading it throws the reason.
  var usableText: String {
    get throws(CommandError) {
      switch self {
      case .line(let line): line.text
      case .unusable(let reason, _): throw CommandError(reason.code, reason.message)
      }
    }
  }

  /// Returns whether the line is in front of a script; see `RunUnit.isPreamble`.
  func isPreamble(in scope: CommandScope) -> Bool {
    guard case .line(let line) = self else { return false }
    return RunUnit.isPreamble(line.text, in: scope)
  }

  package init(_ completed: LogicalLines.Completed) {
    switch completed {
    case .line(let line): self = .line(line)
    case .tooLong(let number): self = .unusable(.goesOnTooLong, number: number)
    }
  }
}

/// The logical lines of a script, read one by one, with the number of their first physical line.
struct ScriptLines: Sequence, IteratorProtocol {
  private let input: () -> Input?
  private var reader = LogicalLines()
  /// The number of the physical line that was read last.
  private(set) var number: Int

  /// Creates the lines from a closure that returns the next physical line, or `nil` at the end.
  ///
  /// `count` is the number of lines before them.
  init(after count: Int = 0, _ input: @escaping () -> Input?) {
    self.input = input
    number = count
  }

  init(_ lines: [Input], after count: Int = 0) {
    var rest = lines[...]
    self.init(after: count) { rest.popFirst() }
  }

  mutating func next() -> ScriptLine? {
    while let input = input() {
      number += 1
      switch input {
      case .line(let text): if let line = reader.add(text, number) { return ScriptLine(line) }
      case .invalidUTF8: return .unusable(.notText, number: number)
      case .tooLong: return .unusable(.tooLong, number: number)
      case .unreadable(let code): return .unusable(.unreadable(code), number: number)
      case .interrupted, .endOfFile, .editor: break
      }
    }
    return reader.finish().map(ScriptLine.init)
  }
}

/// The joining of physical lines that belong together because of an open quote or a trailing backslash.
package struct LogicalLines {
  /// A complete logical line.
  package struct Line: Hashable {
    package var text: String
    /// The number of its first physical line, from 1.
    package var number: Int

    package init(text: String, number: Int) {
      self.text = text
      self.number = number
    }
  }

  /// The result of completing a logical line.
  package enum Completed: Hashable {
    case line(Line)
    /// A line over the maximum length.
    ///
    /// It was read to its end, and no part of it may run.
    case tooLong(number: Int)
  }

  /// The maximum size of a logical line in bytes, so that a forgotten quote doesn't load a large file into memory.
  package static let maximumBytes = 4 << 20

  private var continuation = LineContinuation()
  private var held: Line?
  private var isTooLong = false

  /// Adds a physical line, and returns the logical line if it is complete.
  package mutating func add(_ text: String, _ number: Int) -> Completed? {
    if held == nil {
      held = Line(text: text, number: number)
    } else if !isTooLong {
      held?.text.append("\n")
      held?.text.append(text)
    }
    if let count = held?.text.utf8.count, count > LogicalLines.maximumBytes {
      isTooLong = true
      held?.text = ""
    }
    return continuation.needsContinuation(after: text) ? nil : finish()
  }

  /// Returns the incomplete line at the end of the script.
  package mutating func finish() -> Completed? {
    defer { (continuation, held, isTooLong) = (LineContinuation(), nil, false) }
    return held.map { isTooLong ? .tooLong(number: $0.number) : .line($0) }
  }
}
