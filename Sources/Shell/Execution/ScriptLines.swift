import CommandLanguage
import Foundation
import LineEditing
import Platform
import ShellRuntime
import WriteJournal

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
}

/// The logical lines of a script, read one by one, with the number of their first physical line.
package struct ScriptLines: Sequence, IteratorProtocol {
  private let input: () -> Input?
  /// The number of the line to begin with; those before it are left out.
  private let start: Int
  private var reader = LogicalLines()
  /// The number of the physical line that was read last.
  private(set) var number: Int

  /// Creates the lines from a closure that returns the next physical line, or `nil` at the end.
  ///
  /// - Parameters:
  ///   - start: The number of the line to begin with.
  ///   - count: The number of lines before them.
  ///   - input: Returns the next physical line.
  package init(from start: Int = 1, after count: Int = 0, _ input: @escaping () -> Input?) {
    self.input = input
    self.start = start
    number = count
  }

  package init(_ lines: [Input], from start: Int = 1, after count: Int = 0) {
    var rest = lines[...]
    self.init(from: start, after: count) { rest.popFirst() }
  }

  package mutating func next() -> ScriptLine? {
    while let line = nextLine() {
      if line.number >= start { return line }
    }
    return nil
  }

  private mutating func nextLine() -> ScriptLine? {
    while let input = input() {
      number += 1
      switch input {
      case .line(let text): if let line = reader.add(text, number) { return line }
      case .invalidUTF8: return .unusable(.notText, number: number)
      case .tooLong: return .unusable(.tooLong, number: number)
      case .unreadable(let code): return .unusable(.unreadable(code), number: number)
      case .interrupted, .endOfFile, .editor: break
      }
    }
    return reader.finish()
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

  /// The maximum size of a logical line in bytes, so that a forgotten quote doesn't load a large file into memory.
  package static let maximumBytes = 4 << 20

  private var continuation = LineContinuation()
  private var held: Line?
  private var isTooLong = false

  /// Adds a physical line, and returns the logical line if it is complete.
  ///
  /// A line over the maximum length is read to its end, and no part of it may run.
  mutating func add(_ text: String, _ number: Int) -> ScriptLine? {
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
  mutating func finish() -> ScriptLine? {
    defer { (continuation, held, isTooLong) = (LineContinuation(), nil, false) }
    return held.map { isTooLong ? .unusable(.goesOnTooLong, number: $0.number) : .line($0) }
  }
}
