import Catalog
import CommandLanguage
import Foundation
import Platform
import Presentation
import ShellRuntime
import Text

/// A collection of changes for a batch.
///
/// If a change is invalid for one product, the batch fails, and all such products are listed.
package struct BatchPlanBuilder {
  package var plan = Plan([])
  private let count: Int
  private var refusals: [(Product, ParseError)] = []

  package init(_ count: Int) { self.count = count }

  package mutating func reject(_ product: Product, _ reason: ParseError) { refusals.append((product, reason)) }

  /// Returns the plan.
  ///
  /// - Throws: The error of a single product, or a list of the errors of several.
  package func validatedPlan() throws -> Plan {
    guard let (_, reason) = refusals.first else { return plan }
    if count == 1 { throw reason }
    var message = Message.failure(
      "\(refusals.count) of \(count) products cannot be changed this way. Nothing was sent.",
      ko: "상품 \(count)개 중 \(refusals.count)개는 이 변경을 적용할 수 없습니다. 아무것도 보내지 않았습니다.")
    message = message.because(first: 5, of: refusals) { product, reason in
      LocalizedText(
        "product \(product.id): \(reason.message[.english])", ko: "\(product.id)번 상품: \(reason.message[.korean])")
    }
    if let next = reason.suggestion { message = message.next(next) }
    throw CommandError(.usageError, message)
  }
}

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

/// The equivalent command line for input from a form or an editor.
package enum EquivalentCommand {
  /// Returns `new name='…' price=…` without empty fields.
  package static func new(_ texts: [ProductField: String]) -> String {
    ("new "
      + NewProductForm.fields.compactMap { field in texts[field].flatMap { spelled(field.rawValue, $0) } }.joined(
        separator: " "))
  }

  /// Returns a line such as `patch 42 stock=3`.
  package static func patch(_ product: Product, _ assignments: [Assignment]) -> String {
    "patch \(product.id) " + assignments.compactMap { spelled($0.name, $0.value) }.joined(separator: " ")
  }

  private static func spelled(_ name: String, _ value: String) -> String? {
    if value.isEmpty { return nil }
    // An unquoted `@` at the beginning would read a file.
    return name + "=" + Quoting.quote(value, always: value.hasPrefix("@"))
  }
}
