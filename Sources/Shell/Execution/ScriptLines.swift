import CommandLanguage
import Foundation
import LineEditing
import Platform

/// The lines of a script file.
enum ScriptFile {
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
  private var number: Int

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

  private var scanner = ContinuationScanner()
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
    return scanner.needsContinuation(after: text) ? nil : finish()
  }

  /// Returns the incomplete line at the end of the script.
  package mutating func finish() -> Completed? {
    defer { (scanner, held, isTooLong) = (ContinuationScanner(), nil, false) }
    return held.map { isTooLong ? .tooLong(number: $0.number) : .line($0) }
  }
}
