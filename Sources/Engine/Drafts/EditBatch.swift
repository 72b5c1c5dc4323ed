import Catalog
import Failures
import Foundation
import Language
import Marketplace
import Networking
import Platform
import Presentation
import Text

/// Gathers the changes of a batch; one product that cannot take its change stops all of them, and every one is named.
package struct EditBatch {
  package var plan = Plan([])
  private let count: Int
  private var refusals: [(Product, ParseError)] = []

  package init(_ count: Int) { self.count = count }

  package mutating func refuse(_ product: Product, _ reason: ParseError) { refusals.append((product, reason)) }

  /// - Throws: what is wrong with one product in its own words, with several as a list.
  package func checked() throws -> Plan {
    guard let (_, reason) = refusals.first else { return plan }
    if count == 1 { throw reason }
    var message = Message.failure(
      "\(refusals.count) of \(count) products cannot take this change; nothing was sent.",
      ko: "상품 \(count)개 중 \(refusals.count)개를 이렇게 바꿀 수 없어 아무것도 보내지 않았습니다.")
    for (product, reason) in refusals.prefix(5) {
      message = message.because(
        LocalizedText(
          "product \(product.id): \(reason.what[.english])", ko: "\(product.id)번 상품: \(reason.what[.korean])"))
    }
    if refusals.count > 5 {
      message = message.because("and \(refusals.count - 5) more", ko: "그 밖에 \(refusals.count - 5)개")
    }
    if let next = reason.next { message = message.next(next) }
    throw Failure(.misread, message)
  }
}

/// A product's fields from a JSON file, as `show … as json` writes them; numbers keep their text, so that no price passes through a binary fraction.
package enum ProductFile {
  /// The fields that stand in it, as they would be typed.
  ///
  /// - Throws: `FileError`, `.malformed` for what is no JSON object or holds a field that cannot be read.
  package static func read(_ path: String) throws -> [(name: String, value: String)] {
    guard let data = try Files.read(path, limit: 1 << 20) else { throw FileError.cannotRead(path: path, errno: ENOENT) }
    let malformed = FileError.malformed(path: path, reason: "not a JSON object of a product's fields")
    guard let object = (try? JSON(parsing: data))?.object else { throw malformed }
    do {
      let values: [(Field, String?)] = [
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

/// What a form or an editor filled in, as the line that does the same without asking.
package enum SpelledLine {
  /// `new name='…' price=…`, empty fields left out.
  package static func new(_ texts: [Field: String]) -> String {
    ("new "
      + DraftForm.fields.compactMap { field in texts[field].flatMap { spelled(field.rawValue, $0) } }.joined(
        separator: " "))
  }

  /// `patch 42 stock=3`.
  package static func patch(_ product: Product, _ assignments: [Assignment]) -> String {
    "patch \(product.id) " + assignments.compactMap { spelled($0.name, $0.value) }.joined(separator: " ")
  }

  private static func spelled(_ name: String, _ value: String) -> String? {
    if value.isEmpty { return nil }
    // A bare `@` in front would read a file.
    return name + "=" + Quoting.quote(value, always: value.hasPrefix("@"))
  }
}
