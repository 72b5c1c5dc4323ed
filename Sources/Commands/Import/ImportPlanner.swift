import Catalog
import CommandLanguage
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The conversion of rows of a file to changes.
///
/// All errors are collected; ambiguous values are rejected.
package struct ImportPlanner {
  private let rows: [ImportRow]
  private let policy: LimitPolicy
  private let drafts: NewProductRows

  /// Creates the conversion of the rows of a file in `folder`, below which the pictures are that they name.
  package init(_ rows: [ImportRow], _ session: Session, in folder: ConfinedPath) {
    self.rows = rows
    policy = session.settings.limits
    drafts = NewProductRows(
      policy, in: folder, required: session.server.expectedDialect.capabilities.requiredFields)
  }

  package var remarks: [Message] { drafts.remarks }

  package func checkDuplicateIDs(_ problems: inout ImportProblems) {
    var lines: [Product.ID: Int] = [:]
    for row in rows {
      guard let id = row.id else { continue }
      guard let first = lines[id] else {
        lines[id] = row.line
        continue
      }
      problems.add(
        row.line,
        LocalizedText("product \(id) is already on line \(first)", ko: "\(id)번 상품은 이미 \(first)번째 줄에 있습니다"))
    }
  }

  /// Reports errors that don't depend on the product: invalid numbers, and fields that can't be emptied.
  ///
  /// It ends early if the task is cancelled, and so does `plan`; the caller looks for that before it uses them.
  package func checkValues(_ problems: inout ImportProblems) {
    for row in rows {
      if Task.isCancelled { return }
      for cell in row.cells where cell.field.isImported {
        do throws(ParseError) {
          switch cell.value {
          case .text(let text): _ = try FieldValueParser.value(text, of: cell.field)
          case .clear: _ = try ImportPlanner.clearedValue(cell.field, policy)
          }
        } catch {
          problems.add(row.line, error)
        }
      }
      if row.id == nil { drafts.check(row, &problems) }
    }
  }

  /// Returns the plan, with a row for each one of the file in its order, and the conflicts that `merge` found.
  ///
  /// - Parameters:
  ///   - products: The current products by id.
  ///   - merge: The merge with the export and the market.
  ///   - problems: The collected errors.
  ///   - progress: A closure that is called with the number of rows planned so far.
  package func plan(
    _ products: [Product.ID: Product], merge: ImportMerge, problems: inout ImportProblems,
    progress: (Int) -> Void = { _ in }
  ) -> (plan: Plan, conflicts: [ImportMerge.Conflict]) {
    var plan = Plan()
    var conflicts: [ImportMerge.Conflict] = []
    for (index, row) in rows.enumerated() {
      if Task.isCancelled { break }
      progress(index)
      guard let id = row.id else {
        if let draft = drafts.draft(row, &problems) {
          var planned = Plan.Row(.create(draft))
          planned.place = .line(row.line)
          plan.rows.append(planned)
        }
        continue
      }
      guard let product = products[id] else {
        if merge.knows(id) {
          plan.rows.append(Plan.Row(ImportPlanner.emptyChange(Product(id: id)), unsent: .drifted([])))
        } else {
          problems.add(row.line, LocalizedText("product \(id) does not exist", ko: "\(id)번 상품이 없습니다"))
        }
        continue
      }
      let settled = merge.settle(row, with: product)
      let edited = merge.withoutResaved(settled.row, of: product)
      problems.add(resaved: edited.resaved)
      do throws(ParseError) {
        let edits = try ProductEdit(try assignments(edited.row, product), limits: policy)
        let (from, to) = try edits.changes(of: product)
        let change = Change.edit(product, from: from, to: to)
        let left = settled.conflicts.map(\.field)
        conflicts += settled.conflicts
        if !to.isEmpty {
          var planned = Plan.Row(change)
          if merge.leavesOpen { planned.skippedFields = left }
          plan.rows.append(planned)
        } else {
          let isSettled = left.isEmpty || !merge.leavesOpen
          plan.rows.append(Plan.Row(change, unsent: isSettled ? .unchanged(product) : .drifted(left)))
        }
      } catch {
        problems.add(row.line, error)
      }
    }
    return (plan, conflicts)
  }

  /// Returns an empty change for a product of which only the id is known.
  private static func emptyChange(_ product: Product) -> Change {
    .edit(product, from: ProductValues(), to: ProductValues())
  }

  // MARK: One product

  /// Returns the assignments for the values of the row that differ from the product.
  ///
  /// Unchanged values aren't validated: real markets contain many values that the documentation forbids.
  private func assignments(_ row: ImportRow, _ product: Product) throws(ParseError) -> [Assignment] {
    var result: [Assignment] = []
    let currency = row.text(.currency).map { Currency($0.uppercased()) } ?? product.currency
    for cell in row.cells where cell.field.isImported {
      if let doubt = cell.number?.ambiguity(cell.field, now: ImportPlanner.amount(cell.field, product), in: currency) {
        throw doubt
      }
      if cell.field == .sale { continue }
      let text: String
      switch cell.value {
      case .text(let given): text = given
      case .clear: text = try ImportPlanner.clearedValue(cell.field, policy)
      }
      if try FieldValueParser.value(text, of: cell.field) != product[cell.field] {
        result.append(Assignment(cell.field.rawValue, .set, to: text, range: 0..<0))
      }
    }
    if let sale = try sale(row, product: product, others: result) { result.append(sale) }
    return result
  }

  private static func amount(_ field: ProductField, _ product: Product) -> Amount? {
    [.price, .discount, .sale, .stock].contains(field) ? product[field]?.numericValue : nil
  }

  /// Returns the assignment of the sale price, or `nil` if it is unchanged or already follows from price and discount.
  ///
  /// A changed sale price that contradicts price and discount is an error.
  private func sale(_ row: ImportRow, product: Product, others: [Assignment]) throws(ParseError) -> Assignment? {
    guard let text = row.text(.sale) else { return nil }
    let sale = try FieldValueParser.amount(text, of: .sale)
    guard sale != product.sale else { return nil }
    func value(_ field: ProductField, _ now: Amount?) throws(ParseError) -> Amount? {
      guard let given = others.first(where: { $0.name == field.rawValue }) else { return now }
      return try FieldValueParser.amount(given.value, of: field)
    }
    if let price = try value(.price, product.price), let discount = try value(.discount, product.discount),
      price - discount == sale
    {
      return nil
    }
    if others.contains(where: { $0.name == ProductField.discount.rawValue }) {
      throw ParseError.contradictorySale(sale)
    }
    return Assignment(ProductField.sale.rawValue, .set, to: text, range: 0..<0)
  }

  /// Returns the value of a cell that contains `-`: no discount or no stock.
  ///
  /// A name can't be emptied.
  static func clearedValue(_ field: ProductField, _ policy: LimitPolicy) throws(ParseError) -> String {
    switch field {
    case .discount, .stock: return "0"
    case .description where policy == .server: return ""
    case .description, .name, .price, .sale, .currency, .id, .vendor, .vendorID, .created, .modified, .thumbnail,
      .images:
      throw ParseError(LocalizedText("\(.field(field)) cannot be empty", ko: "\(.field(field), .topic) 비울 수 없습니다"))
    }
  }
}

extension ParseError {
  /// The error for a sale price that isn't the price minus the discount of its row.
  fileprivate static func contradictorySale(_ sale: Amount) -> ParseError {
    ParseError(
      LocalizedText(
        "\(.field(ProductField.sale)) \(sale) does not equal \(.field(ProductField.price)) - \(.field(ProductField.discount))",
        ko:
          "\(.field(ProductField.sale)) \(sale)의 값이 \(.field(ProductField.price)) - \(.field(ProductField.discount), .with) 다릅니다"
      ))
  }
}

/// The drafts of new products from rows without an id, with image files below the folder of the rows' file.
final class NewProductRows {
  private let policy: LimitPolicy
  private let folder: ConfinedPath
  private let required: [ProductField]
  private(set) var remarks: [Message] = []

  init(_ policy: LimitPolicy, in folder: ConfinedPath, required: [ProductField]) {
    self.policy = policy
    self.folder = folder
    self.required = required
  }

  func check(_ row: ImportRow, _ problems: inout ImportProblems) { _ = fields(row, &problems) }

  func draft(_ row: ImportRow, _ problems: inout ImportProblems) -> ProductDraft? {
    guard let fields = fields(row, &problems) else { return nil }
    do {
      let pictures = try PictureUploadLoader(
        stated: fields.images ?? [], in: folder, counts: policy.pictureCount
      ).read()
      // One picture may be that of many rows.
      remarks += pictures.remarks.filter { !remarks.contains($0) }
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
        if cell.field != .images, ResavedText.holdsReplacement(text, nil) {
          throw ParseError(
            LocalizedText(
              "\(.field(cell.field)) contains U+FFFD, which stands for lost characters",
              ko: "\(.field(cell.field))에 없어진 글자를 나타내는 U+FFFD가 있습니다"))
        }
        if cell.field != .sale { try fields.set(cell.field.rawValue, text: text, limits: policy) }
      }
      try takeSale(row, &fields)
      try fields.requireComplete(required)
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
      throw ParseError.contradictorySale(sale)
    }
    fields.discount = price - sale
  }
}

/// The current products that the rows of a file refer to.
struct CurrentProducts {
  private let ids: [Product.ID]
  private let needsDescription: Bool

  init(_ rows: [ImportRow]) {
    ids = rows.compactMap(\.id)
    needsDescription = rows.contains { row in row.cells.contains { $0.field == .description } }
  }

  /// Returns the products that exist.
  func read(
    from market: Client<MarketService>, in scope: CommandScope
  ) async throws -> [Product.ID: Product] {
    var fields = Set(ProductField.singleLineValues)
    if needsDescription { fields.insert(.description) }
    let found = try await BulkListLookup(market, scope).find(ids, requiring: fields)
    let rest = ids.filter { found[$0] == nil }
    let read = try await ProductReader(market, scope).find(rest, optional: Set(rest))
    return found.merging(read) { $1 }
  }
}
