import Foundation
import ServerTesting

/// A server that is not ours: it answers every call of edition `open` with what the real one was seen to answer.
enum ReplayedMarket {
  static func start() async throws -> TinyServer {
    let page = try capture("c_products_page1_of_3_20230323.json")
    let product = try capture("c_product_1944_20230323.json")
    let address = try capture("c_delete_uri_response.txt").trimmingCharacters(in: .whitespacesAndNewlines)
    return try await TinyServer { _, request in
      let line = String(request.prefix { $0 != "\r\n" }.dropLast(" HTTP/1.1".count))
      switch line {
      case _ where line.hasPrefix("GET /api/products?"): return say(200, page)
      case "GET /api/products/1944": return say(200, product)
      case "POST /api/products": return say(201, product)
      case "PATCH /api/products/1944": return say(200, product.replacing("\"stock\": 2", with: "\"stock\": 3"))
      case "POST /api/products/1944/archived": return say(200, address, type: "text/plain;charset=UTF-8")
      case "DELETE " + address: return say(200, product)
      default: return say(404, "{\"code\":404,\"message\":\"not replayed\"}")
      }
    }
  }

  private static func capture(_ name: String) throws -> String {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: folder.appendingPathComponent("Captures/" + name), encoding: .utf8)
    // The pictures were on a host far away; here nobody answers for them.
    return text.replacing("https://s3.ap-northeast-2.amazonaws.com", with: "http://127.0.0.1:1")
  }

  private static func say(_ status: Int, _ body: String, type: String = "application/json") -> TinyServer.Act {
    .say(
      "HTTP/1.1 \(status) X\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
  }
}
