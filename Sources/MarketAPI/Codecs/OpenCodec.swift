import Catalog
import Foundation
import Networking
import Text

/// The codec for openmarket.yagom-academy.kr (see the article Protocol).
struct OpenCodec: VendorCodec {
  let tokenWord = "archived"
  let vendor = VendorFormat(
    descriptionKey: "description", page: "pageNo", size: "itemsPerPage", total: "totalCount", last: "lastPage",
    next: "hasNext", previous: "hasPrev")

  var traits: EditionCapabilities {
    vendor.traits(also: [.search], notInRows: [.images], ticketPrefix: "/api/products/")
  }
  var evidence: LocalizedText {
    LocalizedText("the paging keys are in camelCase.", ko: "페이지 번호의 이름이 camelCase입니다.")
  }

  func list(_ asked: ListProducts) -> Request {
    var request = vendor.list(asked)
    if let search = asked.search, !search.isEmpty { request.query.append(QueryItem("search_value", search)) }
    return request
  }

  /// Accepts only paths of this server's products: no other host, no `..`, no query.
  func isValidToken(ticket: String) -> Bool { OpenCodec.segments(of: ticket) != nil }

  func delete(_ id: Product.ID, ticket: DeletionToken?, as who: Credentials?) throws(MarketError) -> Request {
    guard let ticket, let path = OpenCodec.segments(of: ticket.secret.reveal()) else {
      throw .invalidDeletionURL(excerpt: "")
    }
    // The last segment is the token. The path before it isn't secret and stays readable when requests are shown.
    return try vendor.delete(path: path, token: path.last ?? "", as: who)
  }

  /// Returns the token in the path.
  ///
  /// A single number is a product id and not a token, because this server's tokens are base64.
  func ticket(in request: Request) -> Secret? {
    guard let path = vendor.deletedPath(request), let token = path.last, path.count > 1 || Int(token) == nil else {
      return nil
    }
    return Secret(token)
  }

  private static func segments(of path: String) -> [String]? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[0].isEmpty, parts[1] == "api", parts[2] == "products",
      !path.contains(where: { "?#\\".contains($0) })
    else { return nil }
    let segments = parts.dropFirst().compactMap { PercentEncoding.decode($0) }
    guard segments.count == parts.count - 1, segments.allSatisfy({ !["", ".", ".."].contains($0) }) else { return nil }
    return segments
  }
}
