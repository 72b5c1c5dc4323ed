import Catalog
import Engine
import Language
import Marketplace
import Networking
import Platform
import Presentation
import Scanning
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
        LocalizedText(
          "\(.field(Field.sale)) \(sale) is not \(.field(Field.price)) - \(.field(Field.discount))",
          ko: "\(.field(Field.sale)) \(sale), \(.field(Field.price)) - \(.field(Field.discount))와 다릅니다"))
    }
    fields.discount = price - sale
  }
}

/// Everything that is wrong with a file, each with its line; one problem is enough to send nothing.
package struct ImportProblems {
  private var found: [(line: Int, what: LocalizedText)] = []
  private let path: String

  package init(_ path: String) { self.path = path }

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
      ko: "\(.value(path)), 가져올 수 없습니다. \(count)줄이 잘못되어 아무것도 보내지 않았습니다.")
    if count == 1 {
      message = .failure(
        "\(.value(path)) cannot be imported: a line is wrong; nothing was sent.",
        ko: "\(.value(path)), 가져올 수 없습니다. 한 줄이 잘못되어 아무것도 보내지 않았습니다.")
    }
    for problem in found.sorted(by: { $0.line < $1.line }) {
      message = message.because(
        LocalizedText(
          "line \(problem.line): \(problem.what[.english])", ko: "\(problem.line)번째 줄: \(problem.what[.korean])"))
    }
    throw Failure(.misread, message)
  }
}

/// The products that rows of a file name, as they are now.
struct ImportedProducts {
  /// From so many on, reading the whole list is kinder than asking for each.
  private static let many = 200

  private let ids: [Product.ID]
  private let needsDescription: Bool

  init(_ rows: [ImportRow]) {
    ids = rows.compactMap(\.id)
    needsDescription = rows.contains { row in row.cells.contains { $0.field == .description } }
  }

  /// Those that are there.
  func read(_ session: inout Session, in context: Context) async throws -> [Product.ID: Product] {
    var found: [Product.ID: Product] = [:]
    let edition = try await context.market(&session).service.edition
    if ids.count >= ImportedProducts.many, edition.supports(.pageSize) {
      found = try await listed(&session, context)
    }
    let rest = ids.filter { found[$0] == nil }
    let read = try await ProductReader(context).find(rest, optional: Set(rest), &session)
    return found.merging(read) { $1 }
  }

  private func listed(_ session: inout Session, _ context: Context) async throws -> [Product.ID: Product] {
    let wanted = Set(ids)
    let progress = ScanProgress(session, context)
    defer { progress.clear() }
    var found: [Product.ID: Product] = [:]
    let result = try await Scan(context.market(&session)) { progress.tell($0) }.each { products in
      for product in products where wanted.contains(product.id) && tellsEnough(product) { found[product.id] = product }
      return found.count < wanted.count
    }
    if case .interrupted = result.end { throw CancellationError() }
    return found
  }

  private func tellsEnough(_ product: Product) -> Bool {
    product.name != nil && product.price != nil && product.discount != nil && product.currency != nil
      && product.stock != nil && (!needsDescription || product.description != nil)
  }
}
