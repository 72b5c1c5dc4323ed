import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore

extension Call {
  /// Waits for the whole request. Throws 413 for a body of more bytes than the limit.
  init(_ request: Request, names: [Substring: Substring], limit: Int) async throws {
    base = "http://" + (request.head.authority ?? "localhost")
    query = Query(request.uri.query ?? "")
    headers = request.headers
    self.names = names
    body = Data()
    guard request.method != .get, request.method != .head else { return }
    for try await buffer in request.body {
      guard body.count + buffer.readableBytes <= limit else { throw Refusal.tooLarge(limit) }
      body.append(contentsOf: buffer.readableBytesView)
    }
  }
}
