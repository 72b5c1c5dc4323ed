import Catalog
import CommandLanguage
import Foundation
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// The requests of the session's market as `api` and `api ENDPOINT` show them, with the responses that it sends now.
struct EndpointReading {
  /// The words that `api` accepts: an operation, or all of them, in short or in full.
  static let words = EndpointGuide.Operation.allCases.map(\.rawValue) + ["endpoints", "all"]

  /// The flags of `api` that these words are.
  static let parameters =
    EndpointGuide.Operation.allCases.map { Parameter($0.rawValue, .flag, kind: .none, summary: summary(of: $0)) } + [
      Parameter(
        "endpoints", .flag, kind: .none, summary: LocalizedText("list all requests (default)", ko: "모든 요청의 목록(기본)")),
      Parameter("all", .flag, kind: .none, summary: LocalizedText("show all requests in full", ko: "모든 요청을 자세히")),
    ]

  private static func summary(of operation: EndpointGuide.Operation) -> LocalizedText {
    switch operation {
    case .health: LocalizedText("the request for the state of the server", ko: "서버 상태를 묻는 요청")
    case .list: LocalizedText("the request for a page of products", ko: "상품 목록 요청")
    case .read: LocalizedText("the request for one product", ko: "상품 하나를 읽는 요청")
    case .create: LocalizedText("the request that creates a product", ko: "상품을 등록하는 요청")
    case .update: LocalizedText("the request that updates a product", ko: "상품을 수정하는 요청")
    case .delete: LocalizedText("the requests that delete a product", ko: "상품을 삭제하는 요청")
    }
  }

  private let word: String

  init(_ word: String?) { self.word = word ?? "endpoints" }

  /// Returns the report, or `nil` for the short table of a market that a file describes.
  ///
  /// - Throws: `CommandError` for an operation that the API doesn't have; the errors of reading the market.
  func run(in scope: inout CommandScope) async throws -> CommandResult? {
    let market = try await scope.marketClient()
    guard let edition = market.service.dialect.edition else {
      if word == "endpoints" { return nil }
      throw EndpointReading.described
    }
    let guide = EndpointGuide(edition)
    let report = EndpointReport(
      guide: guide, base: market.service.baseURL.absoluteString, language: scope.session.settings.language)
    if word == "endpoints" {
      var result = CommandResult(report.overview)
      result.closingMessages.append(EndpointReading.next(market.service, scope.session))
      return result
    }
    let wanted = EndpointGuide.Operation(rawValue: word).map { [$0] } ?? guide.operations
    guard wanted.allSatisfy(guide.operations.contains) else { throw EndpointReading.unavailable(edition) }
    let figures = try await figures(wanted, report, of: market, scope.dataOptions)
    return CommandResult(figures.count == 1 ? .drawing(figures[0]) : .group(figures.map { .drawing($0) }))
  }

  /// Returns what is known of each operation, with the market's responses to those that read.
  private func figures(
    _ operations: [EndpointGuide.Operation], _ report: EndpointReport, of market: Client<MarketService>,
    _ options: RenderOptions
  ) async throws -> [Figure] {
    let (id, page) = try await MarketDocument.firstPage(report.guide.edition, upTo: 2, of: market)
    var product: JSON?
    if let id, operations.contains(where: { ![.health, .list].contains($0) }) {
      product = try await MarketDocument.read(GetProduct(id), of: market).1.json
    }
    return operations.map { operation in
      var sample = EndpointReport.Sample(product: Int64(id ?? 1))
      switch operation {
      case .list: sample.response = page
      case .read: sample.response = product
      // Nothing is written for an example: the product is one that the market has.
      case .create, .update: sample.similar = product
      case .health, .delete: break
      }
      return report.details(operation, with: sample, options)
    }
  }

  private static func next(_ service: MarketService, _ session: Session) -> Message {
    let details = Message.note(
      "The URL is \(.value(service.baseURL.absoluteString)).", ko: "주소: \(.value(service.baseURL.absoluteString))")
    return details.next(
      "Run \(.command("api create")) for its fields, errors, curl line, Swift and JSON, or \(.command("model")) for Swift source of all.",
      ko: "필드, 오류, curl, Swift, JSON은 \(.command("api create"))처럼, 전체 Swift 소스는 \(.command("model"), .toward) 볼 수 있습니다."
    )
  }

  private static let described = CommandError(
    .usageError,
    .failure("The API of this market is described by a file.", ko: "이 마켓의 API는 파일로 설명한 것입니다.").next(
      "Run \(.command("api show")) to see what the file says.", ko: "파일의 내용은 \(.command("api show"), .toward) 볼 수 있습니다."
    ))

  private static func unavailable(_ edition: Edition) -> CommandError {
    CommandError(
      .usageError,
      .failure("Edition \(edition.rawValue) has no such request.", ko: "\(edition.rawValue) API 버전에는 그런 요청이 없습니다.")
        .next("Run \(.command("api")) to list its requests.", ko: "요청 목록은 \(.command("api"), .toward) 볼 수 있습니다."))
  }
}
