import Platform
import Presentation
import ShellRuntime
import Text

/// The errors found in the files of a folder, each with its file and line.
///
/// One error is enough to send nothing.
package struct FolderProblems {
  private var found: [(file: String, line: Int, reason: LocalizedText)] = []
  private let folder: String

  package init(_ folder: String) { self.folder = folder }

  package var isEmpty: Bool { found.isEmpty }

  /// Adds an error.
  ///
  /// The line is 0 for the whole file or folder.
  package mutating func add(_ file: String, _ line: Int, _ reason: LocalizedText) { found.append((file, line, reason)) }

  package mutating func add(_ file: String, _ fault: ProductFile.Fault) { add(file, fault.line, fault.reason) }

  package mutating func add(_ file: String, _ line: Int, _ error: any Error) {
    let message = CommandError(describing: error).message
    add(file, line, message.what)
    for reason in message.reasons { add(file, line, reason) }
  }

  /// Throws an error that lists the problems, if there are any.
  ///
  /// - Throws: `CommandError` with exit status 2.
  package func throwIfAny() throws(CommandError) {
    guard !found.isEmpty else { return }
    let count = Set(found.map(\.file)).count
    var message = Message.failure(
      "\(count == 1 ? StyledText("One file") : "\(count) files") in \(.value(folder)) cannot be used. Nothing was sent or changed.",
      ko: "\(.value(folder))에 사용할 수 없는 파일이 \(count)개 있습니다. 아무것도 보내거나 바꾸지 않았습니다.")
    for problem in found.prefix(20) {
      message = message.because(
        problem.line == 0
          ? LocalizedText(
            "\(.value(problem.file)): \(problem.reason[.english])",
            ko: "\(.value(problem.file)): \(problem.reason[.korean])")
          : LocalizedText(
            "\(.value(problem.file)), line \(problem.line): \(problem.reason[.english])",
            ko: "\(.value(problem.file)) \(problem.line)번째 줄: \(problem.reason[.korean])"))
    }
    if found.count > 20 { message = message.because("and \(found.count - 20) more", ko: "그 밖에 \(found.count - 20)개") }
    throw CommandError(.usageError, message)
  }
}
