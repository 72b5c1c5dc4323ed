import Catalog
import Failures
import Foundation
import Language
import Marketplace
import Networking
import Platform
import Presentation
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
    for (product, reason) in refusals.prefix(5) {
      message = message.because(
        LocalizedText(
          "product \(product.id): \(reason.message[.english])", ko: "\(product.id)번 상품: \(reason.message[.korean])"))
    }
    if refusals.count > 5 {
      message = message.because("and \(refusals.count - 5) more", ko: "그 밖에 \(refusals.count - 5)개")
    }
    if let next = reason.suggestion { message = message.next(next) }
    throw CommandError(.usageError, message)
  }
}

/// The fields of a product from a JSON file in the format of `load … as json`.
///
/// Numbers keep their text, so that prices aren't converted to binary fractions.
package enum ProductJSONFile {
  /// Returns the fields of the file as they would be typed.
  ///
  /// - Throws: `FileError`, which is `.malformed` for a file that isn't a JSON object or has an invalid field.
  package static func read(_ path: String) throws -> [(name: String, value: String)] {
    guard let data = try Files.read(path, limit: 1 << 20) else { throw FileError.cannotRead(path: path, errno: ENOENT) }
    let malformed = FileError.malformed(path: path, reason: "not a JSON object with product fields")
    guard let object = (try? JSON(parsing: data))?.object else { throw malformed }
    do {
      let values: [(ProductField, String?)] = [
        (.name, try object.string("name")), (.description, try object.string("description")),
        (.price, try object.amount("price")?.description),
        (.discount, try object.amount("discount")?.description),
        (.currency, try object.string("currency")), (.stock, try object.int("stock").map { String($0) }),
      ]
      return values.compactMap { field, value in value.map { (field.rawValue, $0) } }
    } catch {
      throw malformed
    }
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
