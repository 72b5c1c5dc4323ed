import CommandLanguage
import Foundation
import Platform
import ShellRuntime

/// The text of an assignment: its value, or with `@path` the content of the file (`@-` is standard input).
package struct AssignmentValue {
  private let assignment: Assignment
  private let context: CommandContext

  package init(_ assignment: Assignment, _ context: CommandContext) {
    self.assignment = assignment
    self.context = context
  }

  /// Returns the text.
  ///
  /// The last newline of a file is removed, because editors add it.
  ///
  /// - Throws: `FileError` for a file that can't be read or isn't text.
  package func read() throws -> String {
    guard assignment.isFile else { return assignment.value }
    let path =
      assignment.value == "-" ? "/dev/stdin" : Paths.expanded(assignment.value, home: context.environment["HOME"])
    let text: String?
    if assignment.value == "-" {
      let data = FileHandle.standardInput.readDataToEndOfFile()
      guard let read = String(validating: data, as: UTF8.self) else {
        throw FileError.notText(path: path, at: InvalidByte(inUTF8: data))
      }
      text = read
    } else {
      text = try Files.text(path, limit: 1 << 20)
    }
    guard let text else { throw FileError.cannotRead(path: path, errno: ENOENT) }
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}
