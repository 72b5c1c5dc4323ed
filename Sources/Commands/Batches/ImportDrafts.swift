import Catalog
import Engine
import Language
import Presentation
import Text

/// Rows without an id: products that are to be, their pictures read from the files they name.
final class ImportDrafts {
  private let policy: LimitPolicy
  private let home: String?
  private(set) var remarks: [Message] = []

  init(_ policy: LimitPolicy, home: String?) {
    self.policy = policy
    self.home = home
  }

  func check(_ row: ImportRow, _ problems: inout ImportProblems) { _ = fields(row, &problems) }

  func draft(_ row: ImportRow, _ problems: inout ImportProblems) -> Draft? {
    guard let fields = fields(row, &problems) else { return nil }
    do {
      let pictures = try PictureFiles(
        fields.images ?? [], home: home, counts: policy == .server ? 0...1000 : Limits.pictures
      ).read()
      remarks += pictures.remarks
      return try fields.draft(pictures: pictures.files, policy)
    } catch {
      problems.add(row.line, error)
      return nil
    }
  }

  private func fields(_ row: ImportRow, _ problems: inout ImportProblems) -> DraftFields? {
    var fields = DraftFields()
    do {
      for cell in row.cells where cell.field.isImported || cell.field == .images {
        guard case .text(let text) = cell.value else { continue }
        if cell.field != .sale { try fields.set(cell.field.rawValue, text, policy) }
      }
      try takeSale(row, &fields)
      try fields.requireComplete()
      return fields
    } catch {
      problems.add(row.line, error)
      return nil
    }
  }

  /// A new product may be told by its sale price instead of its discount; both must fit.
  private func takeSale(_ row: ImportRow, _ fields: inout DraftFields) throws(ParseError) {
    guard let text = row.text(.sale), let price = fields.price else { return }
    let sale = try FieldReader.amount(text, of: .sale)
    guard sale <= price, fields.discount == nil || fields.discount == price - sale else {
      throw ParseError(
        Wording(
          "\(.field(Field.sale)) \(sale) is not \(.field(Field.price)) - \(.field(Field.discount))",
          ko: "\(.field(Field.sale)) \(sale), \(.field(Field.price)) - \(.field(Field.discount))와 다릅니다"))
    }
    fields.discount = price - sale
  }
}
