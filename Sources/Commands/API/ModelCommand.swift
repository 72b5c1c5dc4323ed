import Catalog
import CommandLanguage
import Foundation
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// `model`: prints Swift types, a client and samples of the market for an app.
package struct ModelCommand: SwiftPrintingCommand {
  package static let declaration = CommandDeclaration(
    "model", group: .api,
    summary: LocalizedText(
      "print Swift types, a client and preview data for the API", ko: "API의 Swift 타입, 클라이언트, 미리보기 데이터 출력"),
    usage: ["model [to FILE]"],
    details: LocalizedText(
      "The output is one Swift file for an app: a Codable type for each request and response, a small client with URLSession, and responses of the market for previews and tests. No type hides one of SwiftUI or Foundation. swift model is the same.",
      ko:
        "앱에 넣을 Swift 파일 하나를 출력합니다: 요청과 응답마다 Codable 타입, URLSession을 쓰는 작은 클라이언트, 미리보기와 테스트에 쓸 마켓의 응답. SwiftUI나 Foundation의 타입 이름과 겹치지 않습니다. swift model도 같습니다."
    ),
    producesData: true,
    examples: [
      .init("model to Market.swift", "a file to add to an Xcode project", ko: "Xcode 프로젝트에 넣을 파일"),
      .init("swift model", "the same, to read it", ko: "같은 내용을 화면에"),
    ])

  /// The number of products in the sample of a list.
  private static let sampleRows = 3

  package init(_ invocation: ParsedCommand) {}

  /// - Throws: `CommandError` for a market that a file describes; the errors of reading the market.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let market = try await scope.marketClient()
    guard let edition = market.service.dialect.edition else { throw ModelCommand.described }
    let samples = try await samples(edition, of: market)
    let writer = SwiftModelWriter(
      model: EditionModel(edition), base: market.service.baseURL, language: scope.session.settings.language,
      samples: samples)
    var result = CommandResult(.text(LocalizedText(same: "\(.foreign(writer.text))")))
    if samples.isEmpty { result.closingMessages.append(ModelCommand.withoutSamples) }
    return result
  }

  /// Returns the responses of the market that have the structure of the edition: a short list and a product.
  private func samples(
    _ edition: Edition, of market: Client<MarketService>
  ) async throws -> [SwiftModelWriter.Sample] {
    let schemas = EditionSchemas(edition)
    let (id, page) = try await MarketDocument.firstPage(edition, upTo: ModelCommand.sampleRows, of: market)
    var samples: [SwiftModelWriter.Sample] = []
    if schemas.page.misfits(page).isEmpty { samples.append(.init(name: "page", type: "ProductPage", json: page)) }
    guard let id else { return samples }
    let product = try await MarketDocument.read(GetProduct(id), of: market).1.json
    if schemas.product.misfits(product).isEmpty {
      samples.append(.init(name: "product", type: "Product", json: product))
    }
    return samples
  }

  private static let described = CommandError(
    .usageError,
    .failure("The types of an API that a file describes are not known.", ko: "파일로 설명한 API의 타입은 알 수 없습니다.")
      .next(
        "Run \(.command("swift show 42")) for the types of a product as the server sends it.",
        ko: "서버가 보낸 상품의 타입은 \(.command("swift show 42"), .toward) 볼 수 있습니다."))

  private static let withoutSamples = Message.note(
    "There is no preview data, as no response has the structure of the API edition.",
    ko: "API 버전에 맞는 응답이 없어 미리보기 데이터는 넣지 않았습니다."
  ).next("Run \(.command("contract")) to see the differences.", ko: "다른 점은 \(.command("contract"), .toward) 볼 수 있습니다.")
}
