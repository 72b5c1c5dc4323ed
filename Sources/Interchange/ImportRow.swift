import Catalog
import Failures
import Language
import Platform
import Presentation
import Text

/// One row of a file to import: which product, and the cells that say something.
package struct ImportRow: Hashable, Sendable {
  package enum Value: Hashable, Sendable {
    case text(String)
    /// `-`: empty it.
    case clear
  }

  package struct Cell: Hashable, Sendable {
    package var field: Field
    package var value: Value
    /// How a spreadsheet wrote the number, where that leaves something to be judged by the product.
    package var number: SpreadsheetNumber?
  }

  /// Where it begins in the file, from 1.
  package var line: Int
  /// Nil for a product that is to be made.
  package var id: Product.ID?
  package var cells: [Cell]

  package func text(_ field: Field) -> String? {
    for cell in cells where cell.field == field {
      if case .text(let text) = cell.value { return text }
    }
    return nil
  }
}

/// Everything that is wrong with a file, each with its line; one problem is enough to send nothing.
package struct ImportProblems {
  private var found: [(line: Int, what: LocalizedText)] = []
  private let path: String
  /// What is not wrong and has to be said before anybody is asked.
  package private(set) var remarks: [Message] = []

  package init(_ path: String) { self.path = path }

  package mutating func remark(_ message: Message) { remarks.append(message) }

  package var isEmpty: Bool { found.isEmpty }

  package mutating func add(_ line: Int, _ what: LocalizedText) { found.append((line, what)) }

  package mutating func add(_ line: Int, _ misread: ParseError) { add(line, misread.what) }

  package mutating func add(_ line: Int, _ error: any Error) {
    let message = Failure(describing: error).message
    add(line, message.what)
    for reason in message.reasons { add(line, reason) }
  }

  /// - Throws: all problems in the order of their lines.
  package func check() throws(Failure) {
    guard !found.isEmpty else { return }
    let count = Set(found.map(\.line)).count
    var message = Message.failure(
      "\(.value(path)) cannot be imported: \(count) lines are wrong; nothing was sent.",
      ko: "\(.value(path), .object) 가져올 수 없습니다. \(count)줄이 잘못되어 아무것도 보내지 않았습니다.")
    if count == 1 {
      message = .failure(
        "\(.value(path)) cannot be imported: a line is wrong; nothing was sent.",
        ko: "\(.value(path), .object) 가져올 수 없습니다. 한 줄이 잘못되어 아무것도 보내지 않았습니다.")
    }
    for problem in found.sorted(by: { $0.line < $1.line }) {
      message = message.because(
        LocalizedText(
          "line \(problem.line): \(problem.what[.english])", ko: "\(problem.line)번째 줄: \(problem.what[.korean])"))
    }
    throw Failure(.misread, message)
  }
}

extension Field {
  /// What an import sets; the other columns of an export are for reading.
  package var isImported: Bool {
    switch self {
    case .name, .description, .price, .discount, .sale, .currency, .stock: true
    case .id, .vendor, .vendorID, .created, .modified, .thumbnail, .images: false
    }
  }
}
