import Catalog
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// The check of credentials with the first of the two requests of a deletion, which authenticates the vendor and
/// deletes nothing.
struct CredentialCheck {
  enum Finding: Hashable, Sendable {
    /// The server accepted identifier and secret in a request about this product.
    case verified(Product.ID)
    /// The credentials couldn't be checked, for this reason.
    case unverified(LocalizedText)
  }

  /// The maximum number of list pages that are searched for one of the vendor's products.
  private static let maxPages = 20

  private let context: CommandContext

  private let mode: CommandScope.Mode

  init(_ context: CommandContext, _ mode: CommandScope.Mode) {
    self.context = context
    self.mode = mode
  }

  /// - Throws: `CommandError` if the server rejects the credentials.
  func check(_ session: inout Session) async throws -> Finding {
    guard session.server.access.value == .readWrite, mode == .write else {
      return .unverified(LocalizedText("This session is read-only.", ko: "읽기 전용 세션입니다."))
    }
    do {
      let market = try await context.marketClient(&session)
      guard market.service.edition.deletionNeedsToken else {
        return .unverified(
          LocalizedText(
            "In this API edition the secret is the password of each product.",
            ko: "이 API 버전에서는 상품마다 다른 비밀번호가 시크릿입니다."))
      }
      guard let me = session.credentials.vendorID else {
        return .unverified(
          LocalizedText("Without a vendor ID your products cannot be found.", ko: "판매자 번호가 없어 내 상품을 찾을 수 없습니다."))
      }
      guard let product = try await findOwnProduct(me, market) else {
        return .unverified(LocalizedText("Vendor \(me) has no products.", ko: "\(me)번 판매자의 상품을 찾지 못했습니다."))
      }
      return try await ask(product, market)
    } catch let failure as TransportError where failure.reason != .cancelled {
      return .unverified(LocalizedText("The server could not be reached.", ko: "서버에 연결하지 못했습니다."))
    }
  }

  private func ask(_ product: Product, _ market: Client<MarketService>) async throws -> Finding {
    do {
      _ = try await market.send(RequestDeletion(product.id))
      return .verified(product.id)
    } catch MarketError.invalidDeletionURL {
      return .verified(product.id)
    } catch let error as MarketError {
      guard let status = error.status, StatusClass(status) == .clientError, status != 404 else {
        return .unverified(LocalizedText("The server did not respond.", ko: "서버가 응답하지 않았습니다."))
      }
      var message = Message.failure(
        "The server rejected these credentials. They were not saved.",
        ko: "서버가 로그인 정보를 거부했습니다. 저장하지 않았습니다.")
      for reason in CommandError(describing: error).message.reasons { message = message.because(reason) }
      throw CommandError(.refused, message)
    }
  }

  private func findOwnProduct(_ me: Int, _ market: Client<MarketService>) async throws -> Product? {
    var found: Product?
    var blocks = 0
    let result = try await ProductScan(market).forEachBatch { products in
      found = products.first { $0.vendorID == me }
      blocks += 1
      return found == nil && blocks < CredentialCheck.maxPages
    }
    if case .failed(let error) = result.stopReason, found == nil { throw error }
    if case .interrupted = result.stopReason, found == nil { throw CancellationError() }
    return found
  }
}
