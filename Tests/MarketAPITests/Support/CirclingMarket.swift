import Catalog
import Foundation
import MarketAPI
import Networking
import Synchronization

/// Servers whose lists never end, each in another way.
final class CirclingMarket: Transport {
  enum Way: String, CaseIterable, Sendable {
    /// The first page for every number, and always a next one.
    case samePage
    /// The last page again and again.
    case lastPage
    /// Pages that overlap by half.
    case overlap
    /// A total that doesn't match the rows.
    case wrongTotal
    /// No counts, and pages that never end.
    case noCounts
    /// Empty pages, and always a next one.
    case empty
    /// No counts, and new products on every page.
    case endless
    /// New products on every page, far beyond the three reported pages.
    case pastTold
    /// An impossible number of reported pages, and new products on every page.
    case absurd

    static let circles = allCases.filter { ![.endless, .pastTold, .absurd].contains($0) }
  }

  private let way: Way
  private let asked = Mutex(0)

  init(_ way: Way) { self.way = way }

  var requests: Int { asked.withLock { $0 } }

  var client: Client<MarketService> {
    Client(
      MarketService(URL(string: "http://127.0.0.1:1") ?? URL(fileURLWithPath: "/"), dialect: Dialect(.open)),
      through: self)
  }

  /// Returns a page of 250 products, which overlaps the previous page by half.
  private func overlapping(_ page: Int, _ size: Int) -> (Int, Int, String) {
    let first = 1000 - (page - 1) * size / 2
    let count = max(0, min(size, first - 750))
    return (first, count, "\"totalCount\":250,\"hasNext\":\(first - size >= 751),")
  }

  func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    asked.withLock { $0 += 1 }
    func number(_ name: String) -> Int { request.query.first { $0.name == name }.flatMap { Int($0.value) } ?? 1 }
    let (page, size) = (number("page_no"), number("items_per_page"))
    let (first, count, counts): (Int, Int, String) =
      switch way {
      case .samePage: (1000, size, "\"totalCount\":1000,\"lastPage\":\(1000 / size),\"hasNext\":true,")
      case .lastPage: (1000 - (min(page, 3) - 1) * size, size, "\"totalCount\":300,\"lastPage\":3,\"hasNext\":true,")
      case .overlap: overlapping(page, size)
      case .wrongTotal: (1000 - (page - 1) * size, page < 4 ? size : 0, "\"totalCount\":7,\"hasNext\":\(page < 3),")
      case .noCounts: (1000 - (min(page, 4) - 1) * size, size, "")
      case .endless: (1_000_000_000 - (page - 1) * size, size, "")
      case .pastTold: (1_000_000_000 - (page - 1) * size, size, "\"totalCount\":300,\"lastPage\":3,\"hasNext\":true,")
      case .absurd:
        (1_000_000_000 - (page - 1) * size, size, "\"totalCount\":90000000000,\"lastPage\":900000000,\"hasNext\":true,")
      case .empty: (1000, 0, "\"totalCount\":1000,\"lastPage\":10,\"hasNext\":true,")
      }
    let rows = (0..<count).map { "{\"id\":\(first - $0)}" }.joined(separator: ",")
    let body = "{\"pageNo\":\(page),\"itemsPerPage\":\(size),\(counts)\"pages\":[\(rows)]}"
    return Response(status: 200, body: Data(body.utf8))
  }
}
