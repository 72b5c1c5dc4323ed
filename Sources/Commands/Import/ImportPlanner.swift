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
  private let merge: ImportMerge
  private let policy: LimitPolicy
  private let drafts: NewProductRows

  /// Creates the conversion of the compared rows of a file in `folder`, below which the pictures are that they name.
  package init(_ rows: [ImportRow], _ merge: ImportMerge, _ session: Session, in folder: ConfinedPath) {
    self.rows = rows
    self.merge = merge
    policy = session.limits
    drafts = NewProductRows(
      policy, in: folder, for: session.server.expectedDialect)
  }

  package var remarks: [Message] { drafts.remarks }

  /// Reports errors that don't depend on the products: a product with two rows, invalid numbers, and fields that can't be
  /// emptied.
  ///
  /// It ends early if the task is cancelled, and so does `plan`; the caller looks for that before it uses them.
  package func check(_ problems: inout ImportProblems) {
    var lines: [Product.ID: Int] = [:]
    for (index, row) in rows.enumerated() {
      if Task.isCancelled { return }
      if let id = row.id {
        if let first = lines[id] {
          problems.add(
            row.line,
            LocalizedText("product \(id) is already on line \(first)", ko: "\(id)번 상품은 이미 \(first)번째 줄에 있습니다"))
        }
        lines[id] = lines[id] ?? row.line
      }
      for cell in row.edits {
        do throws(ParseError) { try cell.check(policy) } catch { problems.add(row.line, error) }
      }
      if row.id == nil { drafts.check(row, at: index, &problems) }
    }
  }

  /// Returns the plan, with a row for each one of the file in its order, and the cells that aren't written.
  ///
  /// - Parameters:
  ///   - products: The current products by id.
  ///   - problems: The collected errors.
  ///   - progress: A closure that is called with the number of rows planned so far.
  package func plan(
    _ products: [Product.ID: Product], problems: inout ImportProblems, progress: (Int) -> Void = { _ in }
  ) -> (plan: Plan, left: ImportMerge.LeftCells) {
    var plan = Plan()
    var left = ImportMerge.LeftCells()
    for (index, row) in rows.enumerated() {
      if Task.isCancelled { break }
      progress(index)
      do throws(ParseError) {
        if let planned = try planned(index, row.id.flatMap { products[$0] }, &left, &problems) {
          plan.rows.append(planned)
        }
      } catch {
        problems.add(row.line, error)
      }
    }
    return (plan, left)
  }

  /// Returns the row of a plan, or `nil` if there is an error.
  private func planned(
    _ index: Int, _ product: Product?, _ left: inout ImportMerge.LeftCells, _ problems: inout ImportProblems
  ) throws(ParseError) -> Plan.Row? {
    let row = rows[index]
    guard let id = row.id else {
      var planned = drafts.draft(row, at: index, &problems).map { Plan.Row(.create($0)) }
      planned?.place = .line(row.line)
      return planned
    }
    guard let product else {
      guard merge.knows(id) else {
        throw ParseError(LocalizedText("product \(id) does not exist", ko: "\(id)번 상품이 없습니다"))
      }
      return Plan.Row(gone: Product(id: id))
    }
    var (writes, cells) = merge.reconciled(row, with: product)
    let others = Set(cells.conflicts.map(\.field) + cells.resaved.map(\.field))
    let currency = writes[.currency].map { Currency($0.description) } ?? product.currency
    for cell in row.edits where !others.contains(cell.field) {
      let doubt = cell.number?.ambiguity(cell.field, now: product[cell.field]?.numericValue, in: currency)
      if let doubt { throw doubt }
    }
    try settleSale(&writes, of: product)
    let (from, to) = try ProductEdit(setting: writes, limits: policy).changes(of: product)
    // An imported sale price may set a price or discount that is outdated in the file.
    cells.outdated.removeAll { to[$0.field] != nil }
    left.append(cells)
    return Plan.Row(product, from: from, to: to, leaving: merge.skipped(cells))
  }

  /// Removes a sale price that follows from price and discount.
  ///
  /// - Throws: `ParseError` for a changed sale price that contradicts a changed discount.
  private func settleSale(_ values: inout Reconciliation.Values, of product: Product) throws(ParseError) {
    guard case .amount(let sale)? = values[.sale] else { return }
    if let price = values[.price]?.numericValue ?? product.price,
      let discount = values[.discount]?.numericValue ?? product.discount, price - discount == sale
    {
      values[.sale] = nil
    } else if values[.discount] != nil {
      throw ParseError.contradictorySale(sale)
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
  private let dialect: Dialect
  private var required: [ProductField] { dialect.capabilities.requiredFields }
  /// The fields of the rows that have no error, by their positions: a line of JSON may have several rows.
  private var fields: [Int: NewProductFields] = [:]
  private(set) var remarks: [Message] = []

  init(_ policy: LimitPolicy, in folder: ConfinedPath, for dialect: Dialect) {
    self.policy = policy
    self.folder = folder
    self.dialect = dialect
  }

  /// Reads the fields of a row.
  func check(_ row: ImportRow, at index: Int, _ problems: inout ImportProblems) {
    var fields = NewProductFields()
    do {
      for cell in row.cells where !cell.isCleared && (cell.field.isImported || cell.field == .images) {
        if cell.field != .images, ResavedText.holdsReplacement(cell.text, nil) {
          throw ParseError(
            LocalizedText(
              "\(.field(cell.field)) contains U+FFFD, which stands for lost characters",
              ko: "\(.field(cell.field))에 없어진 글자를 나타내는 U+FFFD가 있습니다"))
        }
        if cell.field != .sale { try fields.set(cell.field.rawValue, text: cell.text, limits: policy) }
      }
      try takeSale(row, &fields)
      try fields.requireComplete(required)
      self.fields[index] = fields
    } catch {
      problems.add(row.line, error)
    }
  }

  /// Returns the product of a checked row, or `nil` if it has an error.
  func draft(_ row: ImportRow, at index: Int, _ problems: inout ImportProblems) -> ProductDraft? {
    guard let fields = fields[index] else { return nil }
    do {
      if fields.images == nil, !required.contains(.images) {
        return try fields.draft(pictures: [], policy, for: dialect)
      }
      if !dialect.createsPictures {
        try dialect.requireDescribed([.create], [.images])
        // An export separates addresses by blanks.
        let addresses = (fields.images ?? []).flatMap { $0.split(separator: " ").map(String.init) }
        return try fields.draft(pictures: try dialect.pictures(at: addresses), policy, for: dialect)
      }
      let pictures = try PictureUploadLoader(
        stated: fields.images ?? [], in: folder, counts: policy.pictureCount
      ).read()
      // One picture may be that of many rows.
      remarks += pictures.remarks.filter { !remarks.contains($0) }
      return try fields.draft(pictures: pictures.files, policy, for: dialect)
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
