import Catalog
import Foundation
import Text

/// One assignment, read and checked: what is done to which field.
package struct FieldEdit: Hashable, Sendable {
  package enum Value: Hashable, Sendable {
    case text(String)
    case number(Decimal)
    case percent(Decimal)
  }

  package var field: Field
  package var operation: Assignment.Operator
  package var value: Value
  package var range: Range<Int>

  /// Reads one assignment whose name is a shared field name; files must have been read into its value already.
  package init(_ assignment: Assignment, _ field: Field, _ policy: LimitPolicy) throws(Misread) {
    self.field = field
    operation = assignment.operation
    range = assignment.range
    let text = assignment.value
    switch (field, operation) {
    case (.price, .set), (.discount, .set), (.sale, .set):
      value = .number(try FieldReader.amount(text, of: field, at: range).value)
    case (.stock, .set): value = .number(Decimal(try FieldReader.stock(text, policy, at: range)))
    case (.price, _), (.discount, _), (.sale, _), (.stock, _):
      value = try FieldEdit.operand(text, field, operation, at: range)
    case (.name, .set), (.description, .set):
      value = .text(try FieldReader.text(text, of: field, policy, at: range))
    case (.currency, .set): value = .text(try FieldReader.currency(text, at: range).code)
    case (.thumbnail, .set):
      guard let number = ValueReader.integer(text), number > 0 else {
        throw Misread(
          Wording("\(.field(field)) is the number of a picture, from 1.", ko: "\(.field(field)) 값은 1부터 세는 이미지 번호입니다."),
          at: range)
      }
      value = .number(Decimal(number))
    case (.name, _), (.description, _), (.currency, _), (.thumbnail, _), (.id, _), (.vendor, _), (.vendorID, _),
      (.created, _), (.modified, _), (.images, _):
      throw Misread(
        Wording(
          "\(.field(field)) cannot be changed with \(.command(operation.rawValue)).",
          ko: "\(.field(field)) 값은 \(.command(operation.rawValue)) 기호로 바꿀 수 없습니다."), at: range)
    }
  }

  /// `10`, `0.9`, `10%`.
  private static func operand(
    _ text: String, _ field: Field, _ operation: Assignment.Operator, at range: Range<Int>
  ) throws(Misread) -> Value {
    let isPercent = text.hasSuffix("%")
    if let number = Literal.number(isPercent ? String(text.dropLast()) : text), number >= 0 {
      return isPercent ? .percent(number) : .number(number)
    }
    let shown = FieldReader.shown(text)
    throw Misread(
      Wording(
        "\(.command(field.rawValue + operation.rawValue)) takes a number, not \(shown).",
        ko: "\(.command(field.rawValue + operation.rawValue)) 뒤에는 수가 옵니다. \(shown, .topic) 수가 아닙니다."),
      next: Wording(
        "It looks like \(.command("price-=1000")), \(.command("price-=10%")) or \(.command("price*=0.9")).",
        ko: "\(.command("price-=1000")), \(.command("price-=10%")), \(.command("price*=0.9"))처럼 씁니다."), at: range)
  }
}
