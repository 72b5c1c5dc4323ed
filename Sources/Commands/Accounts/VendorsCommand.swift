import Catalog
import CommandLanguage
import MarketAPI
import MarketOperations
import Networking
import Presentation
import ShellRuntime
import Text

/// `vendors`: who sells at this market; of the embedded one also what `login` needs.
package struct VendorsCommand: Command {
  package static let declaration = CommandDeclaration(
    "vendors", group: .account, summary: LocalizedText("list vendors", ko: "판매자 목록"), producesData: true,
    traits: [.requiresFullScan], parameters: [.pages],
    examples: [
      .init(
        "vendors", "lists number, name and number of products; of the built-in market also identifier and secret",
        ko: "번호, 이름, 상품 수; 내장 마켓에서는 식별자와 시크릿도"),
      .init("vendors as csv to vendors.csv", "saves the list to a file", ko: "파일로 저장"),
    ])

  private let pages: Int?

  package init(_ invocation: ParsedCommand) { pages = invocation.number("pages") }

  /// - Throws: what opening the market and reading its list throw.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let market = try await scope.marketClient()
    guard scope.session.server.hasVendorAccounts else {
      if scope.session.server.hasNoOwners {
        return .message(.note("The products of this market have no vendors.", ko: "이 마켓의 상품에는 판매자가 없습니다."))
      }
      return .message(
        .note(
          "This API edition has no vendors: each product has its own password.",
          ko: "이 API 버전에는 판매자가 없고 상품마다 비밀번호가 있습니다."))
    }
    let embedded = scope.session.server.isEmbedded ? try await scope.context.network.embedded.vendors() : []
    scope.context.stores.secrets.add(typed: embedded.compactMap(\.credentials.secret))
    var vendors = Dictionary(uniqueKeysWithValues: embedded.map { ($0.number, Listed($0)) })
    try await count(&vendors, market: market, in: scope)
    for vendor in vendors.values { scope.session.remember(vendor: vendor.name) }
    guard !vendors.isEmpty else {
      return .message(.note("No product on this server has a vendor.", ko: "판매자가 표시된 상품이 없습니다."))
    }
    return .rows(table(vendors.values.sorted { $0.number < $1.number }, scope.session))
  }

  /// Adds the products of the list to their vendors.
  private func count(
    _ vendors: inout [Int: Listed], market: Client<MarketService>, in scope: CommandScope
  ) async throws {
    var found = vendors
    try await MarketScan(market, pages: pages, scope).forEachBatchToEnd { products in
      for product in products {
        guard let number = product.vendorID else { continue }
        var vendor = found[number] ?? Listed(number: number)
        vendor.products += 1
        vendor.name = vendor.name ?? product.vendor
        found[number] = vendor
      }
    }
    vendors = found
  }

  private func table(_ vendors: [Listed], _ session: Session) -> Table {
    let columns: [Table.Column] = [
      .init("vendor_id", LocalizedText("vendor", ko: "판매자 번호"), isNumber: true),
      .init("name", LocalizedText("name", ko: "이름")),
      .init("products", LocalizedText("products", ko: "상품"), isNumber: true),
    ]
    let credentials: [Table.Column] = [
      .init("identifier", LocalizedText("identifier", ko: "식별자")), .init("secret", LocalizedText("secret", ko: "시크릿")),
    ]
    return Table(
      columns + (session.server.isEmbedded ? credentials : []),
      rows: vendors.map { vendor in
        let plain: [Table.Cell] = [
          .number(vendor.number), vendor.name.map { .text($0) } ?? .none, .number(vendor.products),
        ]
        guard session.server.isEmbedded else { return plain }
        return plain + [
          vendor.credentials?.identifier.map { .text($0) } ?? .none,
          vendor.credentials?.secret.map { .text($0.reveal()) } ?? .none,
        ]
      })
  }

  /// A vendor of the list, with the number of products and the credentials as far as they are known.
  private struct Listed {
    var number: Int
    var name: String?
    var products = 0
    var credentials: Credentials?

    init(number: Int) { self.number = number }

    init(_ vendor: EmbeddedVendor) {
      number = vendor.number
      name = vendor.name
      credentials = vendor.credentials
    }
  }
}
