import Foundation
import ServerTesting
import Synchronization
import TestSupport
import Testing

/// A server that answers every request of edition `open` with a capture of the real one.
enum ReplayedMarket {
  static func start() async throws -> TinyServer {
    let page = try capture("c_products_page1_of_3_20230323.json")
    let product = try capture("c_product_1944_20230323.json")
    let address = try capture("c_delete_uri_response.txt").trimmingCharacters(in: .whitespacesAndNewlines)
    let changed = product.replacing("\"stock\": 2", with: "\"stock\": 3")
    let before = try page.withoutRow(1944).replacing("\"totalCount\": 1182", with: "\"totalCount\": 1181")
    // The current product, or `nil` before it is created and after it is deleted.
    let standing = Mutex<String?>(nil)
    return try await TinyServer { _, request in
      let line = String(request.prefix { $0 != "\r\n" }.dropLast(" HTTP/1.1".count))
      let now = standing.withLock { now in
        switch line {
        case "POST /api/products": now = product
        case "PATCH /api/products/1944": now = changed
        case "DELETE " + address: now = nil
        default: break
        }
        return now
      }
      switch line {
      case _ where line.hasPrefix("GET /api/products?"):
        return say(
          200, now.map { $0 == changed ? page.replacing("\"stock\": 2", with: "\"stock\": 3") : page } ?? before)
      case "POST /api/products": return say(201, product)
      case "PATCH /api/products/1944": return say(200, changed)
      case "POST /api/products/1944/archived": return say(200, address, type: "text/plain;charset=UTF-8")
      case "DELETE " + address: return say(200, changed)
      case "GET /api/products/1944" where now != nil: return say(200, now ?? "")
      default: return say(404, "{\"code\":404,\"message\":\"not replayed\"}")
      }
    }
  }

  private static func capture(_ name: String) throws -> String {
    let text = try Golden(name, in: "MarketAPITests/Captures").text()
    // The pictures were on a remote host. This address doesn't respond.
    return text.replacing("https://s3.ap-northeast-2.amazonaws.com", with: "http://127.0.0.1:1")
  }

  private static func say(_ status: Int, _ body: String, type: String = "application/json") -> TinyServer.Act {
    .say(
      "HTTP/1.1 \(status) X\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
  }
}

extension String {
  /// Returns a captured page without its first row, which has this id.
  fileprivate func withoutRow(_ id: Int) throws -> String {
    let start = try #require(range(of: #"\{\s*"id": \#(id),"#, options: .regularExpression))
    let end = try #require(range(of: #"\},\s*"#, options: .regularExpression, range: start.upperBound..<endIndex))
    return replacingCharacters(in: start.lowerBound..<end.upperBound, with: "")
  }
}
