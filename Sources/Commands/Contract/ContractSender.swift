import Catalog
import MarketAPI
import MarketOperations
import Networking
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The sending of the requests with which the checks of a contract write.
struct ContractSender {
  /// The name of the product that the checks create, and the note of their requests in the log.
  static let name = "openmarket contract"

  let client: Client<MarketService>
  let transport: any Transport
  private let scope: CommandScope

  init(_ client: Client<MarketService>, in scope: CommandScope) throws {
    self.client = client
    self.scope = scope
    transport = try scope.transport()
  }

  /// Records a request in the log, then sends it once.
  func send(_ request: Request) async throws -> CheckedResponse {
    scope.context.stores.remember(request.secrets)
    let (outcome, response) = await JournaledRawRequest.send(
      request, to: client.service.baseURL, note: ContractSender.name, through: transport, market: client, in: scope)
    if case .journalUnavailable(let failure, _) = outcome { throw failure }
    switch response {
    case .success(let response): return CheckedResponse(response.response)
    case .failure(let error): return CheckedResponse(failure: ReadFailure(error).evidence.wording)
    case nil: return CheckedResponse(failure: LocalizedText("not sent", ko: "보내지 않음"))
    }
  }

  /// Warns that a product of the checks remains in the market.
  func sayLeft(_ id: Product.ID) {
    scope.say(
      .warning(
        "Product \(id), which this check created, was not deleted.", ko: "이 검사가 만든 \(id)번 상품을 삭제하지 못했습니다."
      ).next("Run \(.command("rm \(id)")).", ko: "\(.command("rm \(id)"), .object) 실행하세요."))
  }
}
