import Catalog
import Language
import Presentation

/// `last`: the last page the market tells of.
struct Last: Command {
  static let declaration = Declaration(
    "last", group: .products, summary: Wording("the last page", ko: "마지막 쪽"), prints: true,
    examples: [.init("last", "the oldest products", ko: "가장 오래된 상품")])

  init(_ invocation: Invocation) {}

  func run(_ session: inout Session, in context: Context) async throws -> Report {
    var query = session.query
    if session.listing?.page.last == nil { _ = try await Pager(query).show(&session, in: context) }
    guard let last = session.listing?.page.last else { return try await walk(query, &session, in: context) }
    query.page = max(1, last)
    return try await Pager(query).show(&session, in: context)
  }

  /// An edition that tells no count: doubles the page until one is empty, then halves the gap.
  private func walk(_ query: ListQuery, _ session: inout Session, in context: Context) async throws -> Report {
    var query = query
    var full = 1
    var empty = 2
    while try await !isEmpty(empty, query, &session, in: context) {
      full = empty
      empty *= 2
    }
    while empty - full > 1 {
      let middle = (full + empty) / 2
      if try await isEmpty(middle, query, &session, in: context) { empty = middle } else { full = middle }
    }
    query.page = full
    return try await Pager(query).show(&session, in: context)
  }

  private func isEmpty(
    _ page: Int, _ query: ListQuery, _ session: inout Session, in context: Context
  ) async throws -> Bool {
    var query = query
    query.page = page
    _ = try await Pager(query).show(&session, in: context)
    return session.listing?.page.products.isEmpty == true && session.listing?.page.broken.isEmpty == true
  }
}
