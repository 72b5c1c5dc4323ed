import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore

/// What goes back: status, media type and bytes.
struct Answer: Hashable, Sendable {
  var status: Int
  var type: String
  var body: Data
  /// Pictures never change under their URL.
  var isLasting = false

  static func json(_ value: WireJSON, status: Int = 200) -> Answer {
    Answer(status: status, type: "application/json", body: Data(value.minified.utf8))
  }

  static func text(_ text: String, status: Int = 200) -> Answer {
    Answer(status: status, type: "text/plain;charset=UTF-8", body: Data(text.utf8))
  }

  static func picture(_ bytes: Data, type: String) -> Answer {
    Answer(status: 200, type: type, body: bytes, isLasting: true)
  }

  func response(at stamp: MarketTime) -> Response {
    var headers: HTTPFields = [.contentType: type, .date: stamp.httpDate]
    headers[.cacheControl] = isLasting ? "max-age=31536000, immutable" : "no-store"
    headers[.xContentTypeOptions] = "nosniff"
    let buffer = ByteBuffer(bytes: body)
    return Response(status: .init(code: status), headers: headers, body: .init(byteBuffer: buffer))
  }
}

/// Why a request is not answered with what it asked for; each edition spells it its own way.
struct Refusal: Error, Hashable, Sendable {
  var status: Int
  var message: String

  init(_ status: Int, _ message: String) {
    self.status = status
    self.message = message
  }

  static func tooLarge(_ limit: Int) -> Refusal {
    Refusal(413, "Maximum upload size of \(limit) bytes exceeded")
  }

  static func malformed(_ message: String) -> Refusal { Refusal(400, message) }
}
