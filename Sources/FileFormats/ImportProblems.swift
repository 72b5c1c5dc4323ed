import CommandLanguage
import Platform
import Presentation
import ShellRuntime
import Text

/// The errors found in a file, each with its line.
///
/// One error is enough to send nothing.
package struct ImportProblems {
  private var found: [(line: Int, what: LocalizedText)] = []
  private let path: String
  /// Remarks that aren't errors and are shown before the confirmation.
  package private(set) var remarks: [Message] = []

  package init(_ path: String) { self.path = path }

  /// The columns that are no fields.
  ///
  /// They may be the reason why a new product lacks a field.
  private var ignoredColumns: [String] = []

  package mutating func addNote(_ message: Message) { remarks.append(message) }

  mutating func ignore(columns: [String]) {
    ignoredColumns += columns
    addNote(ImportColumns.skippedColumnsNote(columns))
  }

  package var isEmpty: Bool { found.isEmpty }

  package mutating func add(_ line: Int, _ what: LocalizedText) { found.append((line, what)) }

  package mutating func add(_ line: Int, _ misread: ParseError) { add(line, misread.message) }

  package mutating func add(_ line: Int, _ error: any Error) {
    let message = CommandError(describing: error).message
    add(line, message.what)
    for reason in message.reasons { add(line, reason) }
  }

  /// Throws an error that lists all problems, if there are any.
  ///
  /// - Throws: `CommandError` with all errors in the order of their lines.
  package func throwIfAny() throws(CommandError) {
    guard !found.isEmpty else { return }
    let count = Set(found.map(\.line)).count
    var message = Message.failure(
      "Cannot import \(.value(path)): \(count) lines have errors. Nothing was sent.",
      ko: "\(.value(path), .object) 가져올 수 없습니다. 잘못된 줄이 \(count)개 있습니다. 아무것도 보내지 않았습니다.")
    if count == 1 {
      message = .failure(
        "Cannot import \(.value(path)): one line has an error. Nothing was sent.",
        ko: "\(.value(path), .object) 가져올 수 없습니다. 한 줄이 잘못되었습니다. 아무것도 보내지 않았습니다.")
    }
    for problem in found.sorted(by: { $0.line < $1.line }) {
      message = message.because(
        LocalizedText(
          "line \(problem.line): \(problem.what[.english])", ko: "\(problem.line)번째 줄: \(problem.what[.korean])"))
    }
    if !ignoredColumns.isEmpty { message = message.because(ImportColumns.skippedColumnsNote(ignoredColumns).what) }
    throw CommandError(.usageError, message)
  }
}
