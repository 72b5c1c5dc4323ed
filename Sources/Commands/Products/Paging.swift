import Catalog
import Engine
import Language
import Marketplace
import Presentation
import Scanning
import Text

/// `first`: shows the first page.
package struct FirstCommand: Command {
  package static let declaration = CommandDeclaration(
    "first", group: .view, summary: LocalizedText("go to the first page", ko: "첫 페이지"), producesData: true,
    examples: [.init("first", "goes back to page 1", ko: "1페이지로")])

  package init(_ invocation: ParsedCommand) {}

  /// - Throws: The errors of loading the page.
  package func run(_ session: inout Session, _ execution: inout Execution, in context: CommandContext) async throws -> Report {
    var query = session.listQuery
    query.page = 1
    if session.lastListing == nil { query.screenPageSize = query.screenPageSize ?? context.productsOnScreen }
    return try await PageLoader(query).load(&session, &execution, in: context)
  }
}

/// `next`: shows the page after the current one.
package struct NextCommand: Command {
  package static let declaration = CommandDeclaration(
    "next", group: .view, summary: LocalizedText("go to the next page", ko: "다음 페이지"), producesData: true,
    examples: [.init("next", "goes one page forward", ko: "다음 페이지로")])

  package init(_ invocation: ParsedCommand) {}

  /// - Throws: The errors of loading the page.
  package func run(_ session: inout Session, _ execution: inout Execution, in context: CommandContext) async throws -> Report {
    guard let listing = session.lastListing else {
      var query = session.listQuery
      query.screenPageSize = query.screenPageSize ?? context.productsOnScreen
      return try await PageLoader(query).load(&session, &execution, in: context)
    }
    let isLast =
      listing.page.hasNext == false || listing.page.last.map { session.listQuery.page >= $0 } == true
      || (listing.page.hasNext == nil && listing.page.products.isEmpty)
    if isLast {
      return .message(.note("This is the last page.", ko: "마지막 페이지입니다."))
    }
    var query = session.listQuery
    query.page += 1
    return try await PageLoader(query).load(&session, &execution, in: context)
  }
}

/// `prev`: shows the page before the current one.
package struct PrevCommand: Command {
  package static let declaration = CommandDeclaration(
    "prev", aliases: ["previous"], group: .view, summary: LocalizedText("go to the previous page", ko: "이전 페이지"),
    producesData: true,
    examples: [.init("prev", "goes one page back", ko: "이전 페이지로")])

  package init(_ invocation: ParsedCommand) {}

  /// - Throws: The errors of loading the page.
  package func run(_ session: inout Session, _ execution: inout Execution, in context: CommandContext) async throws -> Report {
    guard session.listQuery.page > 1 else {
      return .message(.note("This is the first page.", ko: "첫 페이지입니다."))
    }
    var query = session.listQuery
    query.page -= 1
    return try await PageLoader(query).load(&session, &execution, in: context)
  }
}

/// `last`: shows the last page of the market.
package struct LastCommand: Command {
  package static let declaration = CommandDeclaration(
    "last", group: .view, summary: LocalizedText("go to the last page", ko: "마지막 페이지"), producesData: true,
    traits: [.requiresFullScan], examples: [.init("last", "shows the oldest products", ko: "가장 오래된 상품")])

  package init(_ invocation: ParsedCommand) {}

  /// Finds and shows the last page.
  ///
  /// If that fails or is interrupted, the session's position doesn't change: `@1`, `next` and `prev` refer to the page
  /// that was shown last.
  ///
  /// - Throws: The errors of loading the page.
  package func run(_ session: inout Session, _ execution: inout Execution, in context: CommandContext) async throws -> Report {
    let before = (session.listQuery, session.lastListing)
    do {
      return try await find(&session, &execution, in: context)
    } catch {
      (session.listQuery, session.lastListing) = before
      throw error
    }
  }

  private func find(
    _ session: inout Session, _ execution: inout Execution, in context: CommandContext
  ) async throws -> Report {
    var query = session.listQuery
    if session.lastListing == nil { query.screenPageSize = query.screenPageSize ?? context.productsOnScreen }
    if session.lastListing?.page.last == nil { _ = try await PageLoader(query).load(&session, &execution, in: context) }
    guard let last = session.lastListing?.page.last else { return try await PagingCommands(query, &session, &execution, in: context) }
    query.page = max(1, last)
    return try await PageLoader(query).load(&session, &execution, in: context)
  }

  /// Finds the last page in an edition that doesn't report a count.
  ///
  /// If no page has rows, page 1 is the last one.
  private func PagingCommands(_ query: ListQuery, _ session: inout Session, _ execution: inout Execution, in context: CommandContext)
    async throws -> Report
  {
    let last = try await LastPage.find(after: 1) { page in
      try await isEmpty(page, query, &session, &execution, in: context)
    }
    var found = query
    found.page = last
    return try await PageLoader(found).load(&session, &execution, in: context)
  }

  private func isEmpty(
    _ page: Int, _ query: ListQuery, _ session: inout Session, _ execution: inout Execution, in context: CommandContext
  ) async throws -> Bool {
    var query = query
    query.page = page
    _ = try await PageLoader(query).load(&session, &execution, in: context)
    return session.lastListing?.page.products.isEmpty == true && session.lastListing?.page.broken.isEmpty == true
  }
}

/// `refresh`: reads the current page again.
package struct RefreshCommand: Command {
  package static let declaration = CommandDeclaration(
    "refresh", group: .view, summary: LocalizedText("reload the current page", ko: "현재 페이지 새로 고침"),
    producesData: true,
    examples: [.init("refresh", "reloads the current page", ko: "같은 페이지를 최신 상태로")])

  package init(_ invocation: ParsedCommand) {}

  /// - Throws: The errors of loading the page.
  package func run(_ session: inout Session, _ execution: inout Execution, in context: CommandContext) async throws -> Report {
    var query = session.listQuery
    // If the window was resized, this is the page that contains the row that was at the top.
    if query.size == nil, session.settings.pageSize == nil, query.layout == .table,
      query.scan != nil || session.server.edition?.value.supports(.pageSize) == true,
      let rows = context.productsOnScreen, rows != session.pageSize(of: query)
    {
      query.page = (query.page - 1) * session.pageSize(of: query) / rows + 1
      query.screenPageSize = rows
    }
    return try await PageLoader(query).load(&session, &execution, isNew: true, in: context)
  }
}

/// `search TEXT`: `ls search TEXT` without quotes around the words.
package struct SearchCommand: Command {
  package static let declaration = CommandDeclaration(
    "search", group: .view, summary: LocalizedText("find products by name", ko: "이름으로 상품 찾기"),
    details: LocalizedText(
      "The same as ls search TEXT. API editions without a search on the server read the whole list and filter it.",
      ko: "ls search TEXT와 같습니다. 서버가 검색을 지원하지 않는 API 버전에서는 목록 전체를 읽어 걸러냅니다."), producesData: true,
    parameters: [Parameter("TEXT", .rest(required: true), .text, LocalizedText("text to search for", ko: "검색어"))],
    examples: [.init("search 우유병 텀블러", "searches for the whole phrase", ko: "두 단어를 그대로")])

  private let text: String

  package init(_ invocation: ParsedCommand) { text = invocation.all("TEXT").joined(separator: " ") }

  /// - Throws: The errors of loading the page.
  package func run(_ session: inout Session, _ execution: inout Execution, in context: CommandContext) async throws -> Report {
    var query = ListQuery()
    query.search = text
    query.screenPageSize = context.productsOnScreen
    query.showsPaged = query.screenPageSize != nil
    return try await PageLoader(query).load(&session, &execution, isNew: true, in: context)
  }
}
