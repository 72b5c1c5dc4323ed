import Catalog
import CommandLanguage
import FileFormats
import MarketOperations
import Presentation
import Text

/// The drafts of new products from rows without an id, with image files read from the paths in the rows.
final class NewProductRows {
  private let policy: LimitPolicy
  private let home: String?
  private(set) var remarks: [Message] = []

  init(_ policy: LimitPolicy, home: String?) {
    self.policy = policy
    self.home = home
  }

  func check(_ row: ImportRow, _ problems: inout ImportProblems) { _ = fields(row, &problems) }

  func draft(_ row: ImportRow, _ problems: inout ImportProblems) -> ProductDraft? {
    guard let fields = fields(row, &problems) else { return nil }
    do {
      let pictures = try PictureUploadLoader(
        fields.images ?? [], home: home, counts: policy.pictureCount
      ).read()
      remarks += pictures.remarks
      return try fields.draft(pictures: pictures.files, policy)
    } catch {
      problems.add(row.line, error)
      return nil
    }
  }

  private func fields(_ row: ImportRow, _ problems: inout ImportProblems) -> NewProductFields? {
    var fields = NewProductFields()
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

  /// Sets the discount from the sale price.
  ///
  /// If both are given, they must agree.
  private func takeSale(_ row: ImportRow, _ fields: inout NewProductFields) throws(ParseError) {
    guard let text = row.text(.sale), let price = fields.price else { return }
    let sale = try FieldValueParser.amount(text, of: .sale)
    guard sale <= price, fields.discount == nil || fields.discount == price - sale else {
      throw ParseError(
        LocalizedText(
          "\(.field(ProductField.sale)) \(sale) does not equal \(.field(ProductField.price)) - \(.field(ProductField.discount))",
          ko:
            "\(.field(ProductField.sale)) \(sale)의 값이 \(.field(ProductField.price)) - \(.field(ProductField.discount), .with) 다릅니다"
        ))
    }
    fields.discount = price - sale
  }
}
