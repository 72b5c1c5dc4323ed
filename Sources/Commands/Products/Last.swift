import Catalog
import Engine
import Language
import Presentation
import Scanning
import Text

/// `last`: the last page the market tells of.
package struct Last: Command {
  package static let declaration = Declaration(
    "last", group: .products, summary: Wording("the last page", ko: "마지막 쪽"), prints: true,
    traits: [.needsAnswers], examples: [.init("last", "the oldest products", ko: "가장 오래된 상품")])

  package init(_ invocation: Invocation) {}

  /// Where it fails or is interrupted on the way, the session stands where it stood: `@1`, `next` and `prev` mean the page
  /// that was shown last, not one that was only looked at.
  package func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    let before = (session.query, session.listing)
    do {
      return try await find(&session, &execution, in: context)
    } catch {
      (session.query, session.listing) = before
      throw error
    }
  }

  private func find(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    var query = session.query
    if session.listing?.page.last == nil { _ = try await Pager(query).show(&session, &execution, in: context) }
    guard let last = session.listing?.page.last else { return try await walk(query, &session, &execution, in: context) }
    query.page = max(1, last)
    return try await Pager(query).show(&session, &execution, in: context)
  }

  /// An edition that tells no count. Page 1 is the last one where no page has rows.
  private func walk(_ query: ListQuery, _ session: inout Session, _ execution: inout Execution, in context: Context)
    async throws -> Report
  {
    let last = try await LastPage.find(after: 1) { page in
      try await isEmpty(page, query, &session, &execution, in: context)
    }
    var found = query
    found.page = last
    return try await Pager(found).show(&session, &execution, in: context)
  }

  private func isEmpty(
    _ page: Int, _ query: ListQuery, _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Bool {
    var query = query
    query.page = page
    _ = try await Pager(query).show(&session, &execution, in: context)
    return session.listing?.page.products.isEmpty == true && session.listing?.page.broken.isEmpty == true
  }
}
