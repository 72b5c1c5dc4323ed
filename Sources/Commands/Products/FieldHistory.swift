import Catalog
import CommandLanguage
import Foundation
import History
import MarketAPI
import MarketOperations
import Platform
import Presentation
import ShellRuntime
import Text

/// The values of a product's field over time according to the stored versions: a sparkline, and the days of changes.
struct FieldHistory {
  private let field: ProductField
  private let id: Product.ID
  /// The times at which a new value was first seen, oldest first.
  ///
  /// The product is `nil` if it didn't exist.
  private let steps: [(taken: Int64, product: Product?)]
  private let now: Int64
  private let since: Int64

  /// - Throws: `CommandError` for an invalid time, and for a product that is in no version.
  init(of field: ProductField, _ id: Product.ID, over text: String, in scope: inout CommandScope) async throws {
    let moment = try PastDate.read(text, at: scope.context.clock.seconds)
    let stored = try await SavedVersions(in: &scope)
    stored.warnIfStale(of: try stored.newest(), in: scope)
    self.field = field
    self.id = id
    since = moment.seconds
    now = scope.context.clock.seconds
    // The log has the writes between two scans and after the last one.
    let logged = try LoggedChanges(from: moment.seconds, of: scope.session, in: scope.context.stores)
    let all = logged.merged(with: try stored.history(of: id, since: moment.seconds), of: id)
    guard !all.isEmpty else {
      throw CommandError(
        .refused,
        .failure("No saved version from that time includes product \(id).", ko: "그 기간의 저장본에 \(id)번 상품이 없습니다."))
    }
    // Versions in which only other fields changed are skipped.
    var steps: [(taken: Int64, product: Product?)] = []
    for step in all where steps.isEmpty || steps.last?.product?.text(of: field) != step.product?.text(of: field) {
      steps.append(step)
    }
    self.steps = steps
    if let first = stored.all.first, first.capturedAt > moment.seconds {
      let time = SavedVersions.local(first)
      scope.say(.note("The first saved version is of \(time).", ko: "첫 저장본은 \(time)의 것입니다."))
    }
  }

  func report(_ session: Session) -> Report {
    let values = samples()
    let marks = Sparkline.text(values, ascii: session.settings.ascii)
    var lines: [[Figure.Run]] = []
    if !marks.isEmpty { lines.append([.init(field.rawValue + "  ", .dim), .init(marks, .palette(71))]) }
    let cells = steps.map { step -> [Table.Cell] in
      [.timestamp(Timestamp(seconds: step.taken, isUTC: true)), value(step.product)]
    }
    let width = steps.map { text($0.product).count }.max() ?? 0
    for step in steps {
      let day = Timestamp(seconds: step.taken, isUTC: true).description
      let value = text(step.product)
      lines.append([
        .init(day + "  ", .dim), .init(String(repeating: " ", count: width - value.count) + Sanitizer.sanitized(value)),
      ])
    }
    let table = Table(
      [
        .init("time", LocalizedText("time", ko: "시각")),
        .init(
          field.rawValue, LocalizedText("\(.field(field.rawValue))", ko: "\(.field(field.rawValue))"), isNumber: true),
      ], rows: cells)
    return .drawing(Figure(lines, table: table))
  }

  private func value(_ product: Product?) -> Table.Cell { Table.Cell(product?[field]) }

  private func text(_ product: Product?) -> String {
    guard let product else { return "-" }
    guard let text = product.text(of: field) else { return "-" }
    return number(product) == nil ? text : NumberFormatting.grouped(text)
  }

  private func number(_ product: Product) -> Double? {
    [.price, .discount, .sale, .stock].contains(field) ? product.text(of: field).flatMap { Double($0) } : nil
  }

  /// Returns the value at forty equidistant times, `nil` where the product didn't exist.
  private func samples() -> [Double?] {
    let count = 40
    let start = max(since, steps.first?.taken ?? since)
    let length = max(1, now - start)
    return (0..<count).map { index in
      let moment = start + length * Int64(index) / Int64(count - 1)
      return steps.last { $0.taken <= moment }?.product.flatMap(number)
    }
  }
}

extension ListQuery {
  /// Returns the products of a stored version, filtered and sorted like a live list, without a request: `ls from WHEN`.
  ///
  /// - Throws: `CommandError` if the time refers to no version; `CurrentVendorUnknownError` if a condition contains `me` and no vendor
  ///   is known.
  func listing(from when: String, in scope: inout CommandScope) async throws -> Listing {
    let stored = try await SavedVersions(in: &scope)
    let version = try stored.version(when)
    let filter = try ProductFilter(
      scan?.condition?.resolved(at: scope.context.clock.seconds), me: scope.session.credentials.vendorID,
      scope.session.server.expectedDialect)
    let state = try stored.state(when, of: version, scope.session, in: scope.context.stores)
    var found = try filter.matching(state.products)
    if let search, !search.isEmpty {
      found = found.filter { product in
        [product.name, product.vendor].contains { $0?.range(of: search, options: .caseInsensitive) != nil }
      }
    }
    if let order = scan?.order { found = order.sorted(found) }
    let total = found.count
    var result = Page(all: found, total: total)
    if let limit = scan?.limit {
      result.products = Array(found.prefix(limit))
    } else if scan == nil, let size {
      let last = max(1, (total + size - 1) / size)
      result = Page(
        number: page, total: total, last: last, hasNext: page < last, hasPrevious: page > 1,
        products: Array(found.dropFirst((page - 1) * size).prefix(size)), broken: [])
    }
    scope.say(state.sentence)
    let listing = Listing(result, columns: columns, layout: layout, search: search)
    scope.session.remember(listing, of: try stored.identity)
    return listing
  }
}
