import Catalog
import Engine
import Interchange
import Journal
import Language
import Presentation
import Synchronization
import Text

/// Turns rows of a file into changes; everything that is wrong is gathered, nothing is guessed.
package struct ImportPlanner {
  private let rows: [ImportRow]
  private let policy: LimitPolicy
  private let home: String?
  private let drafts: ImportDrafts

  package init(_ rows: [ImportRow], _ session: Session, home: String?) {
    self.rows = rows
    policy = session.settings.limits
    self.home = home
    drafts = ImportDrafts(policy, home: home)
  }

  package var remarks: [Message] { drafts.remarks }

  package func checkIDs(_ problems: inout ImportProblems) {
    var lines: [Product.ID: Int] = [:]
    for row in rows {
      guard let id = row.id else { continue }
      guard let first = lines[id] else {
        lines[id] = row.line
        continue
      }
      problems.add(
        row.line,
        LocalizedText("product \(id) is on line \(first) already", ko: "\(id)번 상품은 이미 \(first)번째 줄에 있습니다"))
    }
  }

  /// What is wrong whatever the product is like: numbers that are none, fields that cannot be emptied.
  package func checkValues(_ problems: inout ImportProblems) {
    for row in rows {
      for cell in row.cells where cell.field.isImported {
        do throws(ParseError) {
          switch (cell.field, cell.value) {
          case (.price, .text(let text)), (.discount, .text(let text)), (.sale, .text(let text)):
            _ = try FieldReader.amount(text, of: cell.field)
          case (.stock, .text(let text)): _ = try FieldReader.stock(text)
          case (.currency, .text(let text)): _ = try FieldReader.currency(text)
          case (_, .clear): _ = try ImportPlanner.emptied(cell.field, policy)
          case (_, .text): break
          }
        } catch {
          problems.add(row.line, error)
        }
      }
      if row.id == nil { drafts.check(row, &problems) }
    }
  }

  /// Returns a verdict a row, in the order of the file; `merge` knows what the file changed and what others did.
  ///
  /// - Parameter progress: called with the number of rows that are planned.
  package func verdicts(
    _ products: [Product.ID: Product], _ merge: ImportMerge, _ problems: inout ImportProblems,
    progress: (Int) -> Void = { _ in }
  ) -> (verdicts: [PlanVerdict], clashes: [ImportMerge.Clash]) {
    var verdicts: [PlanVerdict] = []
    var clashes: [ImportMerge.Clash] = []
    for (place, row) in rows.enumerated() {
      progress(place)
      guard let id = row.id else {
        if let draft = drafts.draft(row, &problems) {
          var verdict = PlanVerdict.go(.create(draft), .create(draft))
          verdict.line = row.line
          verdicts.append(verdict)
        }
        continue
      }
      // Not read: the file changed nothing of it.
      guard !row.cells.isEmpty || !merge.knows(id) else {
        verdicts.append(.unchanged(ImportPlanner.nothing(Product(id: id)), Product(id: id)))
        continue
      }
      guard let product = products[id] else {
        if merge.knows(id) {
          verdicts.append(.drifted(ImportPlanner.nothing(Product(id: id)), []))
        } else {
          problems.add(row.line, LocalizedText("there is no product \(id)", ko: "\(id)번 상품이 없습니다"))
        }
        continue
      }
      let settled = merge.settle(row, product)
      do throws(ParseError) {
        let edits = try FieldEdits(try assignments(settled.row, product), limits: policy)
        let (from, to) = try edits.changes(of: product)
        let change = Change.edit(product, from: from, to: to)
        let left = settled.clashes.map(\.field)
        clashes += settled.clashes
        if !to.isEmpty {
          var verdict = PlanVerdict.go(change, change)
          if merge.leavesOpen { verdict.left = left }
          verdicts.append(verdict)
        } else {
          verdicts.append(left.isEmpty || !merge.leavesOpen ? .unchanged(change, product) : .drifted(change, left))
        }
      } catch {
        problems.add(row.line, error)
      }
    }
    return (verdicts, clashes)
  }

  /// A change of nothing, where only the product's number is known.
  private static func nothing(_ product: Product) -> Change { .edit(product, from: Fields(), to: Fields()) }

  // MARK: One product

  /// What the row says otherwise than the product: what is as it was is not checked, real markets hold much that the
  /// documents forbid.
  private func assignments(_ row: ImportRow, _ product: Product) throws(ParseError) -> [Assignment] {
    var result: [Assignment] = []
    let currency = row.text(.currency).map { Currency($0.uppercased()) } ?? product.currency
    for cell in row.cells where cell.field.isImported {
      if let doubt = cell.number?.doubt(cell.field, now: ImportPlanner.amount(cell.field, product), in: currency) {
        throw doubt
      }
      if cell.field == .sale { continue }
      let text: String
      switch cell.value {
      case .text(let given): text = given
      case .clear: text = try ImportPlanner.emptied(cell.field, policy)
      }
      if try !isSame(text, cell.field, product) {
        result.append(Assignment(cell.field.rawValue, .set, text, range: 0..<0))
      }
    }
    if let sale = try sale(row, product, result) { result.append(sale) }
    return result
  }

  private static func amount(_ field: Field, _ product: Product) -> Amount? {
    switch field {
    case .price: product.price
    case .discount: product.discount
    case .sale: product.sale
    case .stock: product.stock.map { Amount($0) }
    case .id, .name, .description, .currency, .vendor, .vendorID, .created, .modified, .thumbnail, .images: nil
    }
  }

  private func isSame(_ text: String, _ field: Field, _ product: Product) throws(ParseError) -> Bool {
    switch field {
    case .name: return text == product.name
    case .description: return text == product.description
    case .price: return try FieldReader.amount(text, of: field) == product.price
    case .discount: return try FieldReader.amount(text, of: field) == product.discount
    case .currency: return try FieldReader.currency(text) == product.currency
    case .stock: return try FieldReader.stock(text) == product.stock
    case .id, .sale, .vendor, .vendorID, .created, .modified, .thumbnail, .images: return true
    }
  }

  /// A sale price that was not touched follows the price; one that was and does not fit is a contradiction.
  private func sale(_ row: ImportRow, _ product: Product, _ others: [Assignment]) throws(ParseError) -> Assignment? {
    guard let text = row.text(.sale) else { return nil }
    let sale = try FieldReader.amount(text, of: .sale)
    guard sale != product.sale else { return nil }
    func value(_ field: Field, _ now: Amount?) throws(ParseError) -> Amount? {
      guard let given = others.first(where: { $0.name == field.rawValue }) else { return now }
      return try FieldReader.amount(given.value, of: field)
    }
    if let price = try value(.price, product.price), let discount = try value(.discount, product.discount),
      price - discount == sale
    {
      return nil
    }
    if others.contains(where: { $0.name == Field.discount.rawValue }) {
      throw ParseError(
        LocalizedText(
          "\(.field(Field.sale)) \(sale) is not \(.field(Field.price)) - \(.field(Field.discount))",
          ko: "\(.field(Field.sale)) \(sale)의 값이 \(.field(Field.price)) - \(.field(Field.discount), .with) 다릅니다"))
    }
    return Assignment(Field.sale.rawValue, .set, text, range: 0..<0)
  }

  /// What `-` stands for: nothing taken off, nothing in stock; a name cannot be nothing.
  static func emptied(_ field: Field, _ policy: LimitPolicy) throws(ParseError) -> String {
    switch field {
    case .discount, .stock: return "0"
    case .description where policy == .server: return ""
    case .description, .name, .price, .sale, .currency, .id, .vendor, .vendorID, .created, .modified, .thumbnail,
      .images:
      throw ParseError(LocalizedText("\(.field(field)) cannot be emptied", ko: "\(.field(field), .topic) 비울 수 없습니다"))
    }
  }
}
