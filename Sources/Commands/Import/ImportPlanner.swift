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
    drafts = NewProductRows(policy, in: folder)
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
  /// It ends early if the task is cancelled, and so does `verdicts`; the caller looks for that before it uses them.
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

  /// Returns a verdict for each row in the order of the file, with the conflicts that `merge` found.
  ///
  /// - Parameters:
  ///   - products: The current products by id.
  ///   - merge: The merge with the export and the market.
  ///   - problems: The collected errors.
  ///   - progress: A closure that is called with the number of rows planned so far.
  /// - Returns: The verdicts and the conflicts.
  package func verdicts(
    _ products: [Product.ID: Product], merge: ImportMerge, problems: inout ImportProblems,
    progress: (Int) -> Void = { _ in }
  ) -> (verdicts: [RevalidatedChange], conflicts: [ImportMerge.Conflict]) {
    var verdicts: [RevalidatedChange] = []
    var conflicts: [ImportMerge.Conflict] = []
    for (index, row) in rows.enumerated() {
      if Task.isCancelled { break }
      progress(index)
      guard let id = row.id else {
        if let draft = drafts.draft(row, &problems) {
          var verdict = RevalidatedChange.apply(.create(draft), .create(draft))
          verdict.line = row.line
          verdicts.append(verdict)
        }
        continue
      }
      guard let product = products[id] else {
        if merge.knows(id) {
          verdicts.append(.drifted(ImportPlanner.emptyChange(Product(id: id)), []))
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
          var verdict = RevalidatedChange.apply(change, change)
          if merge.leavesOpen { verdict.skippedFields = left }
          verdicts.append(verdict)
        } else {
          verdicts.append(left.isEmpty || !merge.leavesOpen ? .unchanged(change, product) : .drifted(change, left))
        }
      } catch {
        problems.add(row.line, error)
      }
    }
    return (verdicts, conflicts)
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
  private(set) var remarks: [Message] = []

  init(_ policy: LimitPolicy, in folder: ConfinedPath) {
    self.policy = policy
    self.folder = folder
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
      throw ParseError.contradictorySale(sale)
    }
    fields.discount = price - sale
  }
}

/// Finds products of the vendor that have the name of a product that is about to be created.
struct SameNames {
  /// The maximum number of names that are searched for one by one; for more the list is read once.
  private static let maximumSearches = 8
  /// Products that are named in the note.
  private static let maximumNamed = 5

  private let market: Client<MarketService>
  private let context: CommandContext

  init(_ market: Client<MarketService>, _ context: CommandContext) {
    self.market = market
    self.context = context
  }

  /// Returns a warning that products of these names are there, or `nil` where none is found.
  ///
  /// A list that cannot be read gives no warning: the import itself says what is wrong with the server.
  ///
  /// - Throws: `CancellationError`.
  func note(on drafts: [ProductDraft], _ session: Session) async throws -> Message? {
    let found = try await products(named: Set(drafts.map(\.name)), session)
    guard !found.isEmpty else { return nil }
    let names = Set(found.compactMap(\.name))
    let (count, all) = (drafts.count { names.contains($0.name) }, drafts.count)
    let listed = found.prefix(SameNames.maximumNamed).map { "\($0.id) \($0.name ?? "")" }.joined(separator: ", ")
    let rest = found.count - SameNames.maximumNamed
    let english: StyledText = rest > 0 ? " and \(rest) more" : ""
    let korean: StyledText = rest > 0 ? " 외 \(rest)개" : ""
    return .warning(
      "\(count) of \(all) new \(all == 1 ? StyledText("product") : "products") \(count == 1 ? StyledText("has") : "have") the name of an existing product: \(.foreign(listed))\(english).",
      ko: "새 상품 \(all)개 중 \(count)개는 같은 이름의 상품이 이미 있습니다: \(.foreign(listed))\(korean)."
    ).next(
      "To update a product instead, write its number in the column \(.field(ProductField.id)).",
      ko: "그 상품을 수정하려면 \(.field(ProductField.id)) 열에 번호를 적으세요.")
  }

  /// Shows a warning before the only product of a plan is created, if the vendor has a product of its name.
  ///
  /// Editions without a search are not asked, because the whole list would have to be read.
  ///
  /// - Throws: `CancellationError`.
  func warn(of plan: Plan, in scope: CommandScope) async throws {
    guard scope.mode != .curl, market.service.edition.supports(.search), case .create(let draft)? = plan.changes.first
    else { return }
    let found = try await products(named: [draft.name], scope.session)
    guard let first = found.first else { return }
    let ids = found.prefix(SameNames.maximumNamed).map { String($0.id) }.joined(separator: ", ")
    scope.say(
      .warning(
        "A product named \(.foreign(draft.name)) already exists: \(ids).",
        ko: "같은 이름의 상품이 이미 있습니다: \(.foreign(draft.name)), \(ids)번."
      ).next(
        "Run \(.command("show \(first.id)")) to see it, or \(.command("patch \(first.id) FIELD=VALUE")) to update it instead.",
        ko:
          "그 상품은 \(.command("show \(first.id)"), .toward) 볼 수 있고, \(.command("patch \(first.id) 필드=값"), .toward) 수정할 수 있습니다."
      ))
  }

  /// The vendor's products of exactly these names, by their numbers.
  ///
  /// - Throws: `CancellationError`.
  func products(named names: Set<String>, _ session: Session) async throws -> [Product] {
    guard !names.isEmpty else { return [] }
    let isSearched = names.count <= SameNames.maximumSearches && market.service.edition.supports(.search)
    var found: [Product.ID: Product] = [:]
    for search in isSearched ? names.sorted().map(Optional.some) : [nil] {
      let result = try await MarketScan(market, search: search, isSilent: isSearched, CommandScope(session, context))
        .forEachBatch {
          for product in $0 where isOwn(product, session) && product.name.map(names.contains) == true {
            found[product.id] = product
          }
          return true
        }
      if case .interrupted = result.stopReason { throw CancellationError() }
    }
    return found.values.sorted { $0.id < $1.id }
  }

  private func isOwn(_ product: Product, _ session: Session) -> Bool {
    guard let me = session.credentials.vendorID, let vendor = product.vendorID else { return true }
    return me == vendor
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
