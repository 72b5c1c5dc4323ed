/// A server's complete "no", in a form that can be kept and worded.
package struct Refusal: Hashable, Sendable, Codable {
  package enum Kind: String, Hashable, Sendable, Codable {
    case notFound
    case wrongSecret
    case invalid
    /// 429: refused for now, and not processed.
    case busy
    case other
  }

  package var status: Int
  /// The server's own words: foreign text, to be made harmless before it is shown.
  package var message: String?
  package var kind: Kind

  package init(status: Int, message: String? = nil, kind: Kind) {
    self.status = status
    self.message = message
    self.kind = kind
  }

  /// Every further write would be refused alike, so a batch stops here.
  var stopsBatch: Bool { status == 401 || status == 403 }
}
