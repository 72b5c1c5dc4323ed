import Catalog
import CommandLanguage
import Foundation
import History
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `sql`: runs a read-only query over stored products, exchanges and the log.
package struct SqlCommand: Command {
  package static let declaration = CommandDeclaration(
    "sql", group: .api, summary: LocalizedText("query saved data with SQL", ko: "저장된 데이터를 SQL로 조회"),
    usage: ["sql SELECT...", "sql describe [TABLE]"],
    details: LocalizedText(
      "Runs one query on the saved products, their history, the recorded calls, the log and the last list. Rows with an id become the last list.",
      ko: "저장된 상품, 변경 내역, 호출, 로그, 마지막 목록에 쿼리를 하나 실행합니다. id가 있는 행은 마지막 목록이 됩니다."),
    producesData: true, traits: [.excludedFromSavedScripts],
    parameters: [
      Parameter(
        "SELECT", .rest(required: true), kind: .sql(SqlCommand.completionKeywords),
        summary: LocalizedText(
          "one query on \(SqlCommand.tables); a trailing as FORMAT or to FILE is not part of it",
          ko: "\(SqlCommand.tables) 테이블에 대한 쿼리 하나. 뒤에 붙인 as와 to는 SQL이 아니라 출력 옵션"))
    ],
    examples: [
      .init(
        "sql select vendor, count(*), avg(price) from products group by 1 order by 2 desc",
        "products and average price per vendor", ko: "판매자별로"),
      .init(
        "sql select id from products where stock = 0", "the result becomes the last list: patch @all stock=10",
        ko: "결과가 마지막 목록이 됨: patch @all stock=10"),
      .init(
        "sql \"select id, name from texts where text match 'tumbler'\" as csv",
        inKorean: "sql \"select id, name from texts where text match '텀블러'\" as csv",
        "full-text search in names and descriptions",
        ko: "이름과 설명의 단어로"),
      .init(
        "sql select vendor, count(*) from last group by 1", "queries the last list, as it was shown",
        ko: "마지막으로 표시한 목록을 조회"),
      .init("sql describe products", "lists the columns of a table", ko: "테이블의 열 목록"),
      .init(
        "sql select path, avg(ms) from calls group by 1 to times.csv", "average response time per path, to a file",
        ko: "지금까지의 모든 호출에서"),
    ])

  private static let tables = SQLTable.allCases.map(\.rawValue).joined(separator: ", ")

  /// The words for completion: tables, columns and keywords.
  private static let completionKeywords: [String] = {
    let keywords = [
      "select", "describe", "from", "where", "group", "by", "order", "limit", "join", "count(", "avg(", "sum(", "min(",
      "max(",
      "like", "match", "having", "desc", "distinct",
    ]
    let names = SQLTable.allCases.map(\.rawValue) + SQLTable.allCases.flatMap(\.columns) + keywords
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }()

  /// The maximum number of log entries in a query, newest first.
  private static let maxLogEntries = 100_000

  private let text: String

  package init(_ invocation: ParsedCommand) { text = SQLNames.translated(invocation.text("SELECT") ?? "") }

  /// - Throws: `CommandError` for a query that SQLite rejects or that exceeds the limits, and if no version is stored;
  ///   `JournalError`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    if let columns = try describedColumns() { return .rows(columns) }
    let readsVersions = mentions(.products) || mentions(.texts) || mentions(.history)
    let stored = try await SavedVersions(in: &scope, recognizes: readsVersions)
    var later = LaterProducts(changed: [], deleted: [])
    if mentions(.products) || mentions(.texts) || mentions(.history) && !stored.all.isEmpty {
      later = try self.later(than: try stored.newest(), of: stored, in: scope)
    }
    if mentions(.texts) { try stored.indexWords() }
    await scope.context.stores.recording.exchanges?.flush()
    let callsFile = scope.context.stores.home.callsFile
    let query = HistoryQuery(
      versions: scope.context.stores.home.versionsFile,
      calls: FileManager.default.fileExists(atPath: callsFile) ? callsFile : nil, market: try stored.marketNumber,
      log: mentions(.log) ? try log(scope.context.stores) : [], last: try lastTable(scope.session),
      later: later)
    do {
      let result = try query.run(text)
      try remember(result, stored: stored, later: later, session: &scope.session)
      if result.rows.isEmpty, let short = shortMatch {
        scope.say(
          .note(
            "\(.command("match")) finds texts of three letters or more, and \(.value(short)) is shorter.",
            ko: "\(.command("match"), .topic) 세 글자부터 찾습니다. \(.value(short)) 텍스트는 더 짧습니다."
          ).next(
            "Use \(.command("text like '%\(short)%'")).", ko: "\(.command("text like '%\(short)%'"), .object) 쓰세요."))
      }
      return .rows(SqlCommand.table(result))
    } catch let failure as SQLError {
      throw SqlCommand.failure(failure)
    }
  }

  /// Returns the products that this home changed after the newest version, and says how old the version is if it is old,
  /// and what isn't in the tables of the query.
  ///
  /// - Throws: `CommandError` if versions can't be read; `JournalError`.
  private func later(
    than newest: MarketSnapshot, of stored: SavedVersions, in scope: CommandScope
  ) throws -> LaterProducts {
    if mentions(.products) || mentions(.texts) { stored.warnIfStale(of: newest, in: scope) }
    let logged = try LoggedChanges(from: newest.capturedAt, of: scope.session, in: scope.context.stores)
    let effects = logged.effects(on: try stored.products(logged.ids.sorted(), in: newest))
    let time = SavedVersions.local(newest)
    if !effects.isEmpty, mentions(.texts) || mentions(.history) {
      let (count, table) = (effects.count, mentions(.texts) ? SQLTable.texts.rawValue : SQLTable.history.rawValue)
      scope.say(
        .note(
          "\(table) is as of \(time). Your changes to \(count) \(count == 1 ? StyledText("product") : "products") after that are not in it.",
          ko: "\(.value(table), .topic) \(time)의 상태입니다. 그 뒤에 내가 바꾼 상품 \(count)개는 들어 있지 않습니다."
        ).next(
          "Run \(.command("snapshot")) to save the current state.",
          ko: "현재 상태를 저장하려면 \(.command("snapshot"), .object) 실행하세요."))
    }
    if logged.unknownCount > 0, mentions(.products) {
      let count = logged.unknownCount
      scope.say(
        .note(
          "The effect of \(count) of your requests after \(time) is not known and not in the table products.",
          ko: "\(time) 뒤의 내 요청 \(count)건은 결과를 알 수 없어 products 표에 들어 있지 않습니다."
        ).next(
          "Run \(.command("snapshot")) to save the current state.",
          ko: "현재 상태를 저장하려면 \(.command("snapshot"), .object) 실행하세요."))
    }
    return LaterProducts(
      changed: effects.values.compactMap(\.self), deleted: effects.filter { $0.value == nil }.keys.sorted())
  }

  /// Returns the columns of the tables named in `describe [TABLE]` or psql's `\d`, or `nil` if the text is a query.
  ///
  /// - Throws: `CommandError` with the names of the tables for an unknown name.
  private func describedColumns() throws -> Table? {
    let words = text.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
    guard words.count <= 2, words.first == "describe" || words.first == "\\d" else { return nil }
    let tables = words.count == 1 ? SQLTable.allCases : SQLTable(rawValue: words[1]).map { [$0] } ?? []
    guard !tables.isEmpty else {
      throw CommandError(
        .usageError,
        .failure("Unknown table: \(.foreign(words[1])).", ko: "알 수 없는 테이블: \(.foreign(words[1])).")
          .next("Available: \(SqlCommand.tables).", ko: "테이블: \(SqlCommand.tables)"))
    }
    return Table(
      [
        .init("table", LocalizedText("table", ko: "테이블")), .init("column", LocalizedText("column", ko: "열")),
        .init("type", LocalizedText("type", ko: "형")),
      ],
      rows: tables.flatMap { table in
        table.columns.map { [.text(table.rawValue), .text($0), .text(SQLTable.type(of: $0))] }
      })
  }

  /// Returns the last list, or `nil` if the query doesn't use it.
  ///
  /// - Throws: `CommandError` if there is none.
  private func lastTable(_ session: Session) throws -> LastTable? {
    guard text.lowercased().contains(/(from|join|,)\s*last\b/) else { return nil }
    if case .rows(let table) = session.last.output?.data { return LastTable(table) }
    if case .listing(let listing) = session.last.output?.data { return LastTable(listing.page.products) }
    guard let listing = session.listing.last else {
      throw CommandError(
        .usageError,
        .failure("There is no list yet.", ko: "아직 표시한 목록이 없습니다.")
          .next("Run \(.command("ls")) first.", ko: "먼저 \(.command("ls"), .object) 실행하세요."))
    }
    return LastTable(listing.page.products)
  }

  /// The text after `match` that is too short for the index of words, or `nil`.
  private var shortMatch: String? {
    guard mentions(.texts), let match = text.firstMatch(of: /\bmatch\s+['"]([^'"]{1,2})['"]/.ignoresCase()) else {
      return nil
    }
    return String(match.1)
  }

  private func mentions(_ table: SQLTable) -> Bool { text.lowercased().contains(table.rawValue) }

  /// Stores the products in a column `id` as the rows that `@all` and `@3` refer to.
  private func remember(
    _ result: SQLResult, stored: SavedVersions, later: LaterProducts, session: inout Session
  ) throws {
    guard let column = result.columns.firstIndex(of: "id"), !result.rows.isEmpty,
      mentions(.products) || mentions(.texts) || mentions(.history) || session.listing.last != nil && mentions(.last)
    else { return }
    var ids: [Product.ID] = []
    for row in result.rows {
      guard case .integer(let id) = row[column] else { return }
      if !ids.contains(Int(id)) { ids.append(Int(id)) }
      guard ids.count <= 10_000 else { return }
    }
    var known = Dictionary((session.listing.last?.page.products ?? []).map { ($0.id, $0) }) { first, _ in first }
    if !stored.all.isEmpty { known.merge(try stored.products(ids, in: stored.newest())) { _, stored in stored } }
    for product in later.changed { known[product.id] = product }
    let products = ids.map { known[$0] ?? Product(id: $0) }
    let isStored = mentions(.products) || mentions(.texts) || mentions(.history)
    session.remember(
      Listing(Page(all: products, total: products.count)), of: isStored ? try stored.identity : session.listing.market)
  }

  private func log(_ stores: Stores) throws -> [[SQLValue]] {
    guard FileManager.default.fileExists(atPath: stores.home.journalFolder) else { return [] }
    return try stores.journal().entries(limit: SqlCommand.maxLogEntries).map { entry in
      func object(_ fields: ProductValues?) -> SQLValue {
        guard let fields else { return .null }
        let members = fields.assignedFields.map { field in
          (field.rawValue, JSON.string(fields[field]?.description ?? ""))
        }
        return .text(JSON.object(members).serialized)
      }
      func number(_ value: Int?) -> SQLValue { value.map { .integer(Int64($0)) } ?? .null }
      func words(_ value: String?) -> SQLValue { value.map { .text($0) } ?? .null }
      return [
        .integer(Int64(entry.id)), .text(entry.time.description), .text(entry.profile), .text(entry.action.rawValue),
        number(entry.product), number(entry.batch), object(entry.before), object(entry.after),
        .text(entry.status.rawValue), words(entry.detail?.english), words(entry.note),
        words(entry.actor?.description), words(entry.productName),
      ]
    }
  }

  private static func table(_ result: SQLResult) -> Table {
    var keys: [String: Int] = [:]
    let columns = result.columns.enumerated().map { index, name in
      // Columns with the same name need different keys.
      keys[name, default: 0] += 1
      let key = keys[name] == 1 ? name : "\(name)_\(keys[name] ?? 0)"
      let isNumber = result.rows.allSatisfy { row in
        switch row[index] {
        case .integer, .null: true
        case .real(let number): abs(number) < 0x1p63
        case .text, .blob: false
        }
      }
      return Table.Column(key, LocalizedText(same: "\(.foreign(key))"), isNumber: isNumber)
    }
    return Table(columns, rows: result.rows.map { $0.map(cell) })
  }

  private static func cell(_ value: SQLValue) -> Table.Cell {
    switch value {
    case .null: .none
    case .integer(let number): .number(Int(number))
    case .text(let text): .text(text)
    case .blob(let count): .text("\(count) bytes")
    // A larger number isn't exact, and zeros in the place of its digits would look as if it was.
    case .real(let number) where abs(number) >= 0x1p63: .text(String(format: "%.15g", number))
    case .real(let number):
      // A binary fraction is exact to fifteen digits: 0.1 + 0.2 is 0.3.
      Decimal(string: String(format: "%.15g", number), locale: Locale(identifier: "en_US_POSIX"))
        .map { .decimal(Amount($0)) } ?? .text(String(number))
    }
  }

  private static func failure(_ failure: SQLError) -> CommandError {
    switch failure {
    case .archive(let problem): return SavedVersions.failure(problem)
    case .invalidSQL(let words):
      return CommandError(
        .usageError,
        .failure("The query failed: \(.foreign(words)).", ko: "쿼리를 실행할 수 없습니다: \(.foreign(words)).")
          .next("Tables: \(tables)", ko: "테이블: \(tables)"))
    case .forbidden:
      return CommandError(
        .usageError,
        .failure("sql can only read its own tables.", ko: "sql은 정해진 테이블을 읽기만 합니다.")
          .next("Tables: \(tables)", ko: "테이블: \(tables)"))
    case .notASingleQuery:
      return CommandError(
        .usageError,
        .failure("sql needs one query that starts with select or with.", ko: "sql에는 select나 with로 시작하는 쿼리 하나를 씁니다."))
    case .timedOut(let seconds):
      return CommandError(.refused, .failure("The query was stopped after \(seconds) s.", ko: "\(seconds)초가 지나 멈췄습니다."))
    case .tooMuchMemory:
      return CommandError(
        .refused, .failure("The query was stopped because it uses too much memory.", ko: "메모리를 너무 많이 써서 멈췄습니다."))
    case .tooManyRows(let count):
      return CommandError(
        .refused,
        .failure("The query was stopped after \(count) rows.", ko: "\(count)행에서 멈췄습니다.")
          .next("Use \(.command("limit")) to get fewer rows.", ko: "행을 줄이려면 \(.command("limit"), .object) 쓰세요."))
    case .tooManyCTECopies:
      return CommandError(
        .usageError,
        .failure("The subqueries refer to each other too often.", ko: "하위 쿼리가 서로를 너무 많이 참조합니다."))
    }
  }
}

extension LastTable {
  /// Creates the table of a list of products, with the columns of the table `products`.
  init(_ products: [Product]) {
    let columns = SQLTable.last.columns
    self.init(
      columns: columns.map { Column($0, isNumber: ["integer", "decimal"].contains(SQLTable.type(of: $0))) },
      rows: products.map { product in
        columns.map { column in
          let field = ProductField(rawValue: column)
          return field.flatMap { product.text(of: $0) }.map { .text($0) } ?? .null
        }
      })
  }

  /// Creates the table of other rows, with their columns.
  init(_ table: Table) {
    self.init(
      columns: table.columns.map { Column($0.key, isNumber: $0.isNumber) },
      rows: table.rows.map { $0.map(LastTable.value) })
  }

  private static func value(_ cell: Table.Cell) -> SQLValue {
    switch cell {
    case .none: .null
    case .text(let text): .text(text)
    case .number(let number): .integer(Int64(number))
    case .amount(let amount, _), .decimal(let amount): .text(amount.description)
    case .bool(let flag): .integer(flag ? 1 : 0)
    case .localized(let text): .text(text[.english].plain)
    case .timestamp(let moment): .text(moment.description)
    case .record(let members): .text(members.map { "\($0.key) \(text(value($0.cell)))" }.joined(separator: ", "))
    case .list(let cells): .text(cells.map { text(value($0)) }.joined(separator: " "))
    }
  }

  private static func text(_ value: SQLValue) -> String {
    switch value {
    case .text(let text): text
    case .integer(let number): String(number)
    case .real, .blob, .null: ""
    }
  }
}
