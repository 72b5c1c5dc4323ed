import Catalog
import MarketAPI
import Networking
import Presentation
import ShellRuntime
import Text

/// The checks that the responses of a market are as its file describes them.
struct DescribedContract {
  private let client: Client<MarketService>
  private let description: MarketDescription
  private var report = ContractReport()

  /// The highest number of products that are counted.
  private static let countedTotal = 1_000
  /// The distance to an id that no product has.
  private static let far = 1_000_000

  init(_ client: Client<MarketService>, _ description: MarketDescription) {
    (self.client, self.description) = (client, description)
  }

  /// Runs the checks, which only read.
  ///
  /// - Throws: Only `CancellationError`; errors of the server are part of the report.
  mutating func run() async throws -> ContractReport {
    let name = LocalizedText("page 1", ko: "1페이지")
    let expected = LocalizedText("rows as described", ko: "설명한 형태의 행")
    let first: Page
    switch try await attempt({ [client] in try await client.page(ListProducts(page: 1)) }) {
    case .failure(let failure):
      report.add(name, expected: expected, seen: failure.message.what, false)
      return report
    case .success(let page): first = page
    }
    let broken = first.broken.map { row in
      LocalizedText(same: "\(row.position): \(.foreign(row.field ?? "")) \(.foreign(row.reason))")
    }
    report.shape(
      name, expected: expected, first.products.isEmpty && broken.isEmpty ? [DescribedContract.noRows] : broken)
    guard let sample = first.products.first else { return report }
    fields(in: first)
    order(of: first)
    try await secondPage(after: first)
    try await total(of: first)
    try await single(sample)
    try await missing(beyond: first)
    if client.service.dialect.supports(.search), let text = sample.name { try await search(text, sample.id) }
    return report
  }

  private static let noRows = LocalizedText("no rows", ko: "행 없음")

  /// Returns the result of a request, or the error of the server.
  ///
  /// - Throws: Only `CancellationError`.
  private func attempt<Value>(_ work: () async throws -> Value) async throws -> Result<Value, CommandError> {
    do {
      return .success(try await work())
    } catch {
      if error is CancellationError || (error as? TransportError)?.reason == .cancelled { throw CancellationError() }
      return .failure(CommandError(describing: error))
    }
  }

  /// Checks that some row has each field that rows have.
  private mutating func fields(in page: Page) {
    for field in ProductField.allCases {
      guard let rule = description.fields[field], rule.isInList, rule.constant == nil else { continue }
      let count = page.products.count { $0[field] != nil }
      report.add(
        LocalizedText("\(field) at \(rule.at)", ko: "\(rule.at)의 \(field)"),
        expected: LocalizedText("a value in a row", ko: "값이 있는 행"),
        seen: LocalizedText("\(count) of \(page.products.count) rows", ko: "\(page.products.count)행 중 \(count)행"),
        count > 0)
    }
  }

  private mutating func order(of page: Page) {
    guard description.list.order != .unknown else { return }
    let ids = page.ids
    let pairs = zip(ids, ids.dropFirst())
    let isMet = description.list.order == .newestFirst ? pairs.allSatisfy(>) : pairs.allSatisfy(<)
    report.add(
      LocalizedText("order", ko: "순서"), expected: LocalizedText(same: "\(description.list.order.rawValue)"),
      seen: LocalizedText(same: "\(ids.prefix(5).map(String.init).joined(separator: ", "))"), isMet)
  }

  private mutating func secondPage(after first: Page) async throws {
    guard first.hasNext != false, description.list.page.kind != .none else { return }
    var asked = ListProducts(page: 2)
    asked.after = first.next
    let name = LocalizedText("page 2", ko: "2페이지")
    let expected = LocalizedText("other products than page 1", ko: "1페이지와 다른 상품")
    switch try await attempt({ [client] in try await client.page(asked) }) {
    case .failure(let failure): report.add(name, expected: expected, seen: failure.message.what, false)
    case .success(let page):
      let repeated = Set(page.ids).intersection(first.ids).count
      report.add(
        name, expected: expected,
        seen: LocalizedText(
          "\(page.ids.count) rows, \(repeated) of page 1", ko: "\(page.ids.count)행, 1페이지와 같은 \(repeated)행"),
        repeated == 0)
    }
  }

  private mutating func total(of first: Page) async throws {
    guard description.list.page.total != nil, let total = first.total, total <= DescribedContract.countedTotal else {
      return
    }
    let count = try await attempt { [client] in
      let scan = try await ProductScan(client).collect().result
      return scan.productsRead + scan.brokenCount
    }
    report.add(
      LocalizedText("total", ko: "전체 수"), expected: LocalizedText(same: "\(total)"),
      seen: count.seen { LocalizedText(same: "\($0)") }, (try? count.get()) == total)
  }

  /// Checks that a product alone has the values of its row.
  private mutating func single(_ row: Product) async throws {
    let name = LocalizedText("product \(row.id)", ko: "\(row.id)번 상품")
    let expected = LocalizedText("the values of its row", ko: "행과 같은 값")
    switch try await attempt({ [client] in try await client.send(GetProduct(row.id)) }) {
    case .failure(let failure): report.add(name, expected: expected, seen: failure.message.what, false)
    case .success(let product):
      let others = description.fields.keys.filter { row[$0] != nil && row[$0] != product[$0] }
      report.shape(name, expected: expected, others.map { LocalizedText(same: "\($0.rawValue)") })
    }
  }

  private mutating func missing(beyond page: Page) async throws {
    let highest = page.ids.max() ?? 0
    guard highest < Int.max - DescribedContract.far else { return }
    let id = highest + DescribedContract.far
    let isMissing = try await attempt { [client] in try await MarketReader(client).productIfExists(id) == nil }
    let expected = LocalizedText("not there", ko: "없음")
    report.add(
      LocalizedText("product \(id)", ko: "\(id)번 상품"), expected: expected,
      seen: isMissing.seen { $0 ? expected : LocalizedText("a product", ko: "상품") }, (try? isMissing.get()) == true)
  }

  /// Checks that a search finds a product by its name, and nothing by a text that no name has.
  private mutating func search(_ text: String, _ id: Product.ID) async throws {
    let nonsense = "no-such-name-\(id)"
    try await search(
      nonsense, LocalizedText("search for \(nonsense)", ko: "\(nonsense) 검색"),
      expected: LocalizedText("0 rows", ko: "0행"), \.isEmpty)
    try await search(
      text, LocalizedText("search for a name", ko: "이름 검색"),
      expected: LocalizedText("product \(id)", ko: "\(id)번 상품")
    ) { $0.contains(id) }
  }

  private mutating func search(
    _ text: String, _ name: LocalizedText, expected: LocalizedText, _ isMet: ([Product.ID]) -> Bool
  ) async throws {
    let ids = try await attempt { [client] in try await client.page(ListProducts(page: 1, search: text)).ids }
    report.add(
      name, expected: expected, seen: ids.seen { LocalizedText("\($0.count) rows", ko: "\($0.count)행") },
      (try? ids.get()).map(isMet) == true)
  }
}

extension Result where Failure == CommandError {
  /// Returns the words of the value, or those of the error.
  fileprivate func seen(_ words: (Success) -> LocalizedText) -> LocalizedText {
    switch self {
    case .success(let value): words(value)
    case .failure(let error): error.message.what
    }
  }
}
