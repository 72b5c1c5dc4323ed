import Foundation
import Networking
import Synchronization

/// A market of edition `open` and a weather service that put arbitrary text into every text field.
final class HostileMarket: Transport {
  private struct State {
    var texts = [""]
    var isRefusing = false
    var stock = 1
    /// The responses, which are the same until other texts are set.
    var kept: [String: String] = [:]
  }

  private let state = Mutex(State())
  private let weather: [String: JSON]

  /// Creates a market.
  ///
  /// `weather` has responses of the weather service by the last component of the path.
  init(weather: [String: JSON] = [:]) { self.weather = weather }

  /// Sets the texts, one for each row.
  ///
  /// The single product has all of them.
  func write(_ texts: [String], isRefusing: Bool = false) {
    state.withLock { state in
      (state.texts, state.isRefusing, state.kept) = (texts, isRefusing, [:])
    }
  }

  func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    let (texts, isRefusing) = state.withLock { ($0.texts, $0.isRefusing) }
    let all = texts.joined()
    if let answer = weather[request.path.last ?? ""] {
      var number = 0
      return reply(isRefusing ? 404 : 200, HostileMarket.spoilt(answer, texts, &number).serialized, all)
    }
    if isRefusing {
      return reply(400, #"{"code":\#(JSON.string(all).serialized),"message":\#(JSON.string(all).serialized)}"#, all)
    }
    switch (request.method.rawValue, request.path.last ?? "") {
    case ("GET", "products"): return reply(200, kept("page") { page(texts) }, all)
    case (_, "archived"): return reply(200, "/api/products/1/\(all)", all)
    case ("GET", "healthChecker"): return reply(200, all, all)
    case ("PATCH", _):
      take(request)
      fallthrough
    default: return reply(200, kept("product") { product(1, all, pictures: texts) }, all)
    }
  }

  private func kept(_ name: String, _ make: () -> String) -> String {
    if let text = state.withLock({ $0.kept[name] }) { return text }
    let text = make()
    state.withLock { $0.kept[name] = text }
    return text
  }

  /// Stores a new stock, so that a write is found to be done.
  private func take(_ request: Request) {
    guard case .data(let data, _) = request.body,
      let stock = String(decoding: data, as: UTF8.self).firstMatch(of: #/"stock":(\d+)/#).flatMap({ Int($0.1) })
    else { return }
    state.withLock { state in (state.stock, state.kept) = (stock, [:]) }
  }

  /// Returns a response with the text in a header.
  ///
  /// The HTTP library removes line breaks from headers.
  private func reply(_ status: Int, _ body: String, _ text: String) -> Response {
    Response(
      status: status,
      headers: [HeaderField("Content-Type", "application/json"), HeaderField("X-Text", text.filter { !$0.isNewline })],
      body: Data(body.utf8))
  }

  private func page(_ texts: [String]) -> String {
    let rows = texts.enumerated().map { product($0 + 1, $1, pictures: nil) }.joined(separator: ",")
    return #"{"pageNo":1,"itemsPerPage":\#(texts.count),"totalCount":\#(texts.count),"offset":0,"limit":20,"#
      + #""lastPage":1,"hasNext":false,"hasPrev":false,"pages":[\#(rows)]}"#
  }

  private func product(_ id: Int, _ text: String, pictures: [String]?) -> String {
    let quoted = JSON.string(text).serialized
    let stock = id == 1 ? state.withLock { $0.stock } : id
    let images = pictures.map { texts in
      texts.map { #"{"id":1,"url":\#(JSON.string($0).serialized),"thumbnail_url":\#(JSON.string($0).serialized)}"# }
        .joined(separator: ",")
    }
    return
      #"{"id":\#(id),"vendor_id":15,"vendorName":\#(quoted),"vendors":{"id":15,"name":\#(quoted)},"name":\#(quoted),"#
      + #""description":\#(quoted),"thumbnail":\#(quoted),"currency":\#(quoted),"price":\#(3500 + id),"#
      + #""bargain_price":\#(3400 + id),"discounted_price":100,"stock":\#(stock),"created_at":"2022-10-18T00:00:00","#
      + #""issued_at":"2022-10-18T00:00:00""#
      + (images.map { #","images":[\#($0)]}"# } ?? "}")
  }

  /// Returns the JSON with every string replaced by the texts in turn, except those that the program compares.
  private static func spoilt(_ json: JSON, _ texts: [String], _ number: inout Int, key: String = "") -> JSON {
    switch json {
    case .string where ["cod", "icon", "dt_txt", "pod"].contains(key): return json
    case .string:
      number += 1
      return .string(texts[(number - 1) % texts.count])
    case .array(let elements): return .array(elements.map { spoilt($0, texts, &number, key: key) })
    case .object(let object):
      return .object(object.keys.map { ($0, spoilt(object[$0] ?? .null, texts, &number, key: $0)) })
    case .null, .bool, .number, .invalidLiteral: return json
    }
  }
}
