import Foundation
import Language
import Platform

/// The text a value stands for: itself, or with `@path` the file's (`@-` is standard input).
package struct AssignedText {
  private let assignment: Assignment
  private let context: Context

  package init(_ assignment: Assignment, _ context: Context) {
    self.assignment = assignment
    self.context = context
  }

  /// The file's last newline is the editor's and not the text's.
  package func read() throws -> String {
    guard assignment.isFile else { return assignment.value }
    let path =
      assignment.value == "-" ? "/dev/stdin" : Paths.expanded(assignment.value, home: context.environment["HOME"])
    let text: String?
    if assignment.value == "-" {
      let data = FileHandle.standardInput.readDataToEndOfFile()
      guard let read = String(validating: data, as: UTF8.self) else { throw FileError.notText(path: path) }
      text = read
    } else {
      text = try Files.text(path, limit: 1 << 20)
    }
    guard let text else { throw FileError.cannotRead(path: path, errno: ENOENT) }
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}
