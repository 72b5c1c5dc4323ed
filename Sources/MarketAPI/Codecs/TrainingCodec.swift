import Catalog
import Foundation
import Networking
import Text

/// The codec for market-training.yagom-academy.kr (see the article Protocol).
struct TrainingCodec: VendorCodec {
  let tokenWord = "secret"
  let vendor = VendorFormat(
    descriptionKey: "descriptions", page: "page_no", size: "items_per_page", total: "total_count", last: "last_page",
    next: "has_next", previous: "has_prev")

  var traits: EditionCapabilities { vendor.traits(notInRows: [.description, .vendor, .images]) }
  var evidence: LocalizedText {
    LocalizedText("the paging keys are in snake_case.", ko: "페이지 번호의 이름이 snake_case입니다.")
  }

  func list(_ asked: ListProducts) -> Request { vendor.list(asked) }

  /// Accepts one word that stays a single path segment.
  func isValidToken(ticket: String) -> Bool {
    !["", ".", ".."].contains(ticket) && ticket.utf8.count <= 200 && !ticket.contains(where: { "/?#<>{}".contains($0) })
  }

  func delete(_ id: Product.ID, ticket: DeletionToken?, as who: Credentials?) throws(MarketError) -> Request {
    guard let ticket else { throw .invalidDeletionURL(excerpt: "") }
    let token = ticket.secret.reveal()
    return try vendor.delete(path: ["api", "products", String(id), token], token: token, as: who)
  }

  func ticket(in request: Request) -> Secret? {
    guard let path = vendor.deletedPath(request), path.count == 2 else { return nil }
    return Secret(path[1])
  }
}
