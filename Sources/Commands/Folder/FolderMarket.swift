import Catalog
import CommandLanguage
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

extension ProductFolder {
  /// Checks that the folder was pulled from the market of a client.
  ///
  /// - Parameters:
  ///   - origin: The origin of the folder, or `nil` if it wasn't pulled.
  ///   - market: The client.
  ///   - scope: The scope of the command.
  /// - Returns: The market of the client.
  /// - Throws: `CommandError` with exit status 4 that names both markets; the errors of reading the market.
  @discardableResult
  func checkMarket(
    _ origin: Origin?, is market: Client<MarketService>, in scope: CommandScope
  ) async throws -> MarketIdentity {
    try await scope.readGeneration(of: market)
    let here = scope.session.market(at: market.service.baseURL)
    guard let origin, let mismatch = here.mismatch(with: origin.market) else { return here }
    let again = LocalizedText(
      "Use \(.command("profile \(Quoting.quote(origin.profile))")), or pull into another folder.",
      ko: "\(.command("profile \(Quoting.quote(origin.profile))"), .object) 쓰거나 다른 폴더로 가져오세요.")
    let another = LocalizedText("Pull into another folder.", ko: "다른 폴더로 가져오세요.")
    throw CommandError(
      .blocked,
      Message(
        .failure,
        mismatch == .otherAddress
          ? LocalizedText(
            "\(.value(typed)) was pulled from another address. Nothing was sent or changed.",
            ko: "\(.value(typed), .topic) 다른 주소에서 가져온 폴더입니다. 아무것도 보내거나 바꾸지 않았습니다.")
          : LocalizedText(
            "\(.value(typed)) is a folder of another market. Nothing was sent or changed.",
            ko: "\(.value(typed), .topic) 다른 마켓의 폴더입니다. 아무것도 보내거나 바꾸지 않았습니다.")
      ).because(mismatch, of: origin.market, at: here, profile: scope.session.server.profile?.value)
        .next(mismatch.isElsewhere ? again : another),
      code: .otherDestination)
  }
}
