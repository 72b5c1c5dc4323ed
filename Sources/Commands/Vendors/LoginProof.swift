import Catalog
import Engine
import Failures
import Marketplace
import Networking
import Platform
import Presentation
import Scanning
import Text

/// The check of credentials with the first of the two requests of a deletion, which authenticates the vendor and
/// deletes nothing.
struct LoginProof {
  enum Finding: Hashable, Sendable {
    /// The server accepted identifier and secret in a request about this product.
    case proven(Product.ID)
    /// The credentials couldn't be checked, for this reason.
    case open(LocalizedText)
  }

  /// The maximum number of list pages that are searched for one of the vendor's products.
  private static let mostBlocks = 20

  private let context: Context

  private let mode: Execution.Mode

  init(_ context: Context, _ mode: Execution.Mode) {
    self.context = context
    self.mode = mode
  }

  /// - Throws: `Failure` if the server rejects the credentials.
  func check(_ session: inout Session) async throws -> Finding {
    guard session.server.access.value == .readWrite, mode == .write else {
      return .open(LocalizedText("this session is read-only", ko: "읽기 전용 세션입니다"))
    }
    do {
      let market = try await context.market(&session)
      guard market.service.edition.deletesInTwoCalls else {
        return .open(
          LocalizedText(
            "in this edition the secret is the password of each product", ko: "이 API 버전에서는 상품마다 다른 비밀번호가 시크릿입니다"))
      }
      guard let me = session.credentials.vendorID else {
        return .open(LocalizedText("cannot tell which products are yours", ko: "어느 것이 내 상품인지 알 수 없습니다"))
      }
      guard let product = try await own(me, market) else {
        return .open(LocalizedText("vendor \(me) has no products", ko: "\(me)번 판매자의 상품을 찾지 못했습니다"))
      }
      return try await ask(product, market)
    } catch let failure as TransportFailure where failure.reason != .cancelled {
      return .open(LocalizedText("the server could not be reached", ko: "서버에 물어볼 수 없었습니다"))
    }
  }

  private func ask(_ product: Product, _ market: Client<Market>) async throws -> Finding {
    do {
      _ = try await market.send(RequestDeletion(product.id))
      return .proven(product.id)
    } catch MarketError.strangeDeletionAddress {
      return .proven(product.id)
    } catch let error as MarketError {
      guard let status = error.status, StatusMeaning(status) == .refused, status != 404 else {
        return .open(LocalizedText("the server did not respond", ko: "서버가 응답하지 않았습니다"))
      }
      var message = Message.failure(
        "The server rejected these credentials. They were not saved.",
        ko: "서버가 로그인 정보를 거부했습니다. 저장하지 않았습니다.")
      for reason in Failure(describing: error).message.reasons { message = message.because(reason) }
      throw Failure(.refused, message)
    }
  }

  private func own(_ me: Int, _ market: Client<Market>) async throws -> Product? {
    var found: Product?
    var blocks = 0
    let result = try await Scan(market).each { products in
      found = products.first { $0.vendorID == me }
      blocks += 1
      return found == nil && blocks < LoginProof.mostBlocks
    }
    if case .failed(let error) = result.end, found == nil { throw error }
    if case .interrupted = result.end, found == nil { throw CancellationError() }
    return found
  }
}
