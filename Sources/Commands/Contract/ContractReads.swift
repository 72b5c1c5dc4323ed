import Catalog
import Foundation
import MarketAPI
import Networking
import ShellRuntime
import Text

/// The checks of reading: each endpoint, the first and last pages, invalid ids, keys and types.
struct ContractReads {
  private let market: MarketService
  private let transport: any Transport
  private let shapes: EditionSchemas
  private var report: ContractReport
  private var rows: [JSONObject] = []

  private static let size = 20
  /// A number that no product and no page has.
  private static let far = 999_999_999

  init(_ market: MarketService, schemas shapes: EditionSchemas, through transport: any Transport) {
    self.market = market
    self.transport = transport
    self.shapes = shapes
    report = ContractReport()
  }

  /// Runs the checks.
  ///
  /// - Throws: Only `CancellationError`; errors of the server are part of the report.
  mutating func run() async throws -> ContractReport {
    if market.dialect.supports(.checkHealth) {
      let health = try await ask(Request(.get, ["healthChecker"]))
      report.add(
        LocalizedText("health", ko: "상태 확인"), expected: LocalizedText(same: "200 \"OK\""),
        seen: health.json.map { LocalizedText(same: "\(health.status ?? 0) \(.foreign($0.serialized))") }
          ?? health.summary,
        health.status == 200 && health.json == .string("OK"))
    }
    try await lists()
    try await ends()
    try await products()
    if market.dialect.supports(.search) { try await searches() }
    report.status(
      LocalizedText("unknown path", ko: "없는 경로"), response: try await ask(Request(.get, ["no-such-path"])),
      statuses: 404...404)
    return report
  }

  static let notAnObject = LocalizedText("not an object", ko: "객체가 아님")
  private static let noRows = LocalizedText("no rows to check", ko: "확인할 행이 없음")
  private static let nothing = LocalizedText("200, 0 rows", ko: "200, 0행")

  private static func count(_ count: Int, in response: CheckedResponse) -> LocalizedText {
    LocalizedText(
      "\(response.summary.english), \(count) rows", ko: "\(response.summary.korean), \(count)행")
  }

  private func ask(_ request: Request) async throws -> CheckedResponse {
    do {
      return CheckedResponse(try await transport.send(request, to: market.baseURL, with: SendOptions()))
    } catch let failure as TransportError {
      if failure.reason == .cancelled { throw CancellationError() }
      return CheckedResponse(failure: failure.evidence.wording)
    }
  }

  private func list(_ page: Int, search: String? = nil) async throws -> CheckedResponse {
    let size = market.dialect.supports(.pageSize) ? ContractReads.size : nil
    guard let request = try? ListProducts(page: page, size: size, search: search).makeRequest(to: market) else {
      return CheckedResponse(failure: LocalizedText("not checked", ko: "확인하지 않음"))
    }
    return try await ask(request)
  }

  private func rows(of response: CheckedResponse) -> [JSONObject] {
    ((try? response.object?.array(shapes.rows)) ?? nil)?.compactMap(\.object) ?? []
  }

  private static func ids(_ rows: [JSONObject]) -> [Int] { rows.compactMap { (try? $0.int("id")) ?? nil } }

  /// Returns the last page of a list with as many rows as the server says, which may be any number.
  static func lastPage(of total: Int) -> Int {
    max(1, total / ContractReads.size + (total % ContractReads.size > 0 ? 1 : 0))
  }

  private func int(_ key: String?, _ response: CheckedResponse) -> Int? {
    key.flatMap { key in (try? response.object?.int(key)) ?? nil }
  }

  /// Checks the first pages.
  private mutating func lists() async throws {
    let first = try await list(1)
    report.add(
      LocalizedText("page 1", ko: "1페이지"), expected: LocalizedText(same: "200 application/json"), seen: first.summary,
      first.status == 200 && first.isJSON)
    report.shape(
      LocalizedText("keys and types of a page and its rows", ko: "페이지와 행의 키와 타입"),
      expected: LocalizedText("as recorded", ko: "저장된 응답과 같음"),
      first.object.map { shapes.page.problems(of: $0) } ?? [ContractReads.notAnObject])
    rows = rows(of: first)
    if let paging = shapes.paging {
      paged(first, by: paging)
    }
    let ids = ContractReads.ids(rows)
    if market.dialect.capabilities.listsNewestFirst {
      let falling = LocalizedText("descending IDs", ko: "번호 내림차순")
      let areFalling = zip(ids, ids.dropFirst()).allSatisfy(>)
      report.add(
        LocalizedText("newest first", ko: "최신순"), expected: falling,
        seen: ids.isEmpty ? ContractReads.noRows : areFalling ? falling : LocalizedText(same: "\(ids.prefix(5))"),
        !ids.isEmpty && areFalling)
    }
    if market.dialect.capabilities.ownership == .vendors { prices() }
    var seen = Set(ids)
    for page in 2...3 {
      let response = try await list(page)
      let more = ContractReads.ids(rows(of: response))
      let fits = response.status == 200 && more.count <= ContractReads.size && seen.isDisjoint(with: more)
      report.add(
        LocalizedText("page \(page)", ko: "\(page)페이지"),
        expected: LocalizedText(
          "at most \(ContractReads.size) rows, none repeated from earlier pages",
          ko: "최대 \(ContractReads.size)행, 앞 페이지와 겹치지 않음"),
        seen: seen.isDisjoint(with: more)
          ? ContractReads.count(more.count, in: response)
          : LocalizedText("rows repeated from earlier pages", ko: "앞 페이지와 겹치는 행"), fits)
      seen.formUnion(more)
    }
  }

  /// Checks the number, size and count of pages on page 1.
  ///
  /// A missing value is a failure.
  private mutating func paged(
    _ first: CheckedResponse, by paging: (number: String, size: String, total: String, last: String, next: String)
  ) {
    let name = LocalizedText("paging values of page 1", ko: "1페이지의 페이지 정보")
    let keys: [String] = [paging.number, paging.size, paging.total, paging.last]
    let reported = keys.map { (key: $0, value: int($0, first)) }
    let missing = reported.filter { $0.value == nil }.map(\.key)
    guard missing.isEmpty, let total = reported[2].value else {
      report.add(
        name, expected: LocalizedText(same: "\(keys.joined(separator: ", "))"),
        seen: LocalizedText(
          "missing: \(missing.joined(separator: ", "))", ko: "없음: \(missing.joined(separator: ", "))"), false)
      return
    }
    let last = ContractReads.lastPage(of: total)
    let count = min(total, ContractReads.size)
    func words(_ number: Int?, size: Int?, pages: Int?, rows: Int) -> LocalizedText {
      LocalizedText(
        "page \(number ?? 0), \(size ?? 0) a page, \(pages ?? 0) pages, \(rows) rows",
        ko: "\(number ?? 0)페이지, 페이지마다 \(size ?? 0)행, \(pages ?? 0)페이지, \(rows)행")
    }
    let expected = words(1, size: ContractReads.size, pages: last, rows: count)
    let seen = words(
      reported[0].value, size: reported[1].value, pages: reported[3].value, rows: rows.count)
    report.add(name, expected: expected, seen: seen, seen == expected)
  }

  /// Checks that the sale price is the price minus the discount.
  private mutating func prices() {
    let wrong = rows.filter { row in
      guard let price = (try? row.decimal("price")) ?? nil, let off = (try? row.decimal("discounted_price")) ?? nil,
        let sale = (try? row.decimal("bargain_price")) ?? nil
      else { return true }
      return price - off != sale
    }
    let difference = LocalizedText(same: "price - discounted_price")
    report.add(
      LocalizedText("bargain_price of each row", ko: "행의 bargain_price"), expected: difference,
      seen: rows.isEmpty
        ? ContractReads.noRows
        : wrong.isEmpty
          ? difference
          : LocalizedText(
            "different on \(wrong.count) of \(rows.count)", ko: "\(rows.count)행 중 \(wrong.count)행이 다름"),
      !rows.isEmpty && wrong.isEmpty)
  }

  /// Checks the end of the list and pages after it.
  private mutating func ends() async throws {
    if let paging = shapes.paging, let last = int(paging.last, try await list(1)), last >= 1 {
      let end = try await list(last)
      let next = (try? end.object?.bool(paging.next)) ?? nil
      report.add(
        LocalizedText("the last page", ko: "마지막 페이지"),
        expected: LocalizedText("rows, \(paging.next) false", ko: "행이 있고 \(paging.next) false"),
        seen: LocalizedText(
          "\(rows(of: end).count) rows, \(paging.next) \(next.map { "\($0)" } ?? "missing")",
          ko: "\(rows(of: end).count)행, \(paging.next) \(next.map { "\($0)" } ?? "없음")"),
        next == false && !rows(of: end).isEmpty)
      if let oldest = ContractReads.ids(rows(of: end)).min() {
        try await product(oldest, LocalizedText("the oldest product", ko: "가장 오래된 상품"))
      }
    }
    let past = try await list(100_000)
    report.add(
      LocalizedText("page past the end", ko: "끝을 지난 페이지"), expected: ContractReads.nothing,
      seen: ContractReads.count(rows(of: past).count, in: past), past.status == 200 && rows(of: past).isEmpty)
    for number in [0, -1] {
      report.status(
        LocalizedText("page \(number)", ko: "\(number)페이지"), response: try await list(number), statuses: 400...499)
    }
  }

  private mutating func products() async throws {
    if let row = rows.first, let id = (try? row.int("id")) ?? nil {
      let response = try await product(id, LocalizedText("first product", ko: "첫 상품"))
      let shared = ["id", "name", "title", "price", "stock", "currency"].filter { row[$0] != nil }
      let same = LocalizedText("same as in the list", ko: "목록과 같음")
      let wrong = shared.filter { response.object?[$0] != row[$0] }
      report.add(
        LocalizedText("values of the first product", ko: "그 상품의 값"), expected: same,
        seen: wrong.isEmpty
          ? same
          : LocalizedText("another \(wrong.joined(separator: ", "))", ko: "다른 \(wrong.joined(separator: ", "))"),
        wrong.isEmpty)
    }
    let none = try await show(ContractReads.far)
    report.status(LocalizedText("unknown product", ko: "없는 상품"), response: none, statuses: 404...404)
    report.shape(
      LocalizedText("body of an error response", ko: "오류 응답의 본문"), expected: LocalizedText(same: "\(shapes.errorKeys)"),
      none.object.map(shapes.errorProblems) ?? [ContractReads.notAnObject])
    var request = try GetProduct(1).makeRequest(to: market)
    request.path[request.path.count - 1] = "abc"
    report.status(
      LocalizedText("invalid product ID", ko: "숫자가 아닌 번호"), response: try await ask(request), statuses: 400...499)
  }

  private func show(_ id: Product.ID) async throws -> CheckedResponse {
    try await ask(GetProduct(id).makeRequest(to: market))
  }

  @discardableResult
  private mutating func product(_ id: Product.ID, _ name: LocalizedText) async throws -> CheckedResponse {
    let response = try await show(id)
    let problems =
      response.status == 200 && response.isJSON
      ? response.object.map { shapes.product.problems(of: $0) } ?? [ContractReads.notAnObject] : [response.summary]
    report.shape(
      name,
      expected: LocalizedText("keys and types as recorded", ko: "키와 타입이 저장된 응답과 같음"), problems)
    return response
  }

  private mutating func searches() async throws {
    guard let name = rows.first.flatMap({ (try? $0.string("name")) ?? nil }), let word = name.split(separator: " ").last
    else { return }
    let response = try await list(1, search: String(word))
    let names = rows(of: response).map { row in
      ["name", "vendorName"].compactMap { key in (try? row.string(key)) ?? nil }.joined(separator: " ")
    }
    let fits = names.allSatisfy { $0.range(of: String(word), options: .caseInsensitive) != nil }
    report.add(
      LocalizedText("search_value", ko: "search_value"),
      expected: LocalizedText(
        "rows with \(.foreign(String(word))) in name or vendor", ko: "이름이나 판매자에 \(.foreign(String(word))) 포함"),
      seen: fits
        ? LocalizedText("\(names.count) matching rows", ko: "조건에 맞는 \(names.count)행")
        : LocalizedText("rows that do not match", ko: "조건에 맞지 않는 행"),
      response.status == 200 && !names.isEmpty && fits)
    let none = try await list(1, search: "no such product 31415926")
    report.add(
      LocalizedText("search_value without results", ko: "결과 없는 search_value"), expected: ContractReads.nothing,
      seen: ContractReads.count(rows(of: none).count, in: none), none.status == 200 && rows(of: none).isEmpty)
  }
}
