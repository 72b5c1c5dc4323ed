/// One request of a write and what answered it, as the journal keeps it for `log show`, `log curl` and HAR files.
///
/// Holds no secret: where one stood, the text says `__NAME__`, NAME being the variable a curl line reads it from. Long
/// bodies are cut, pictures are told by name and size; their bytes lie with the write itself.
package struct KeptExchange: Hashable, Sendable {
  /// A header, or one `name=value` of a query.
  package struct Pair: Hashable, Sendable {
    package var name: String
    package var value: String
    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A part of a form; `text` is nil for a file.
  package struct Part: Hashable, Sendable {
    package var name: String
    package var fileName: String?
    package var type: String?
    package var text: String?
    /// Bytes on the wire.
    package var size: Int
    /// Of a file, 64 hex digits; nil where nobody asked for it.
    package var sha256: String?
    package init(
      name: String, fileName: String?, type: String?, text: String?, size: Int, sha256: String? = nil
    ) {
      self.name = name
      self.fileName = fileName
      self.type = type
      self.text = text
      self.size = size
      self.sha256 = sha256
    }
  }

  /// What a request or an answer held, as far as it is kept: secrets are out of it, pictures are told by their size.
  package enum Body: Hashable, Sendable {
    case none
    /// `size` counts the bytes on the wire, which the text may have been cut from.
    case text(String, type: String?, size: Int)
    /// Told by name alone where `sha256` was asked for.
    case bytes(type: String?, size: Int, sha256: String? = nil)
    case form([Part])
  }

  /// A request as it was sent, secrets out of it.
  package struct Request: Hashable, Sendable {
    package var method: String
    /// Segments, not encoded.
    package var path: [String]
    package var query: [Pair]
    package var headers: [Pair]
    package var body: Body
    package init(method: String, path: [String], query: [Pair], headers: [Pair], body: Body) {
      self.method = method
      self.path = path
      self.query = query
      self.headers = headers
      self.body = body
    }
  }

  /// The answer to it.
  package struct Reply: Hashable, Sendable {
    package var status: Int
    package var headers: [Pair]
    package var body: Body
    package init(status: Int, headers: [Pair], body: Body) {
      self.status = status
      self.headers = headers
      self.body = body
    }
  }

  /// The send it belongs to, from 1; an edition that deletes in two calls has two exchanges of one attempt.
  package var attempt = 0
  /// Milliseconds since 1970, UTC, by this machine's clock.
  package var started: Int64
  /// Microseconds from the call to the last byte of the answer.
  package var duration: Int
  /// Microseconds of each phase that was measured: `blocked`, `dns`, `connect`, `ssl`, `send`, `wait`, `receive`.
  package var phases: [String: Int] = [:]
  /// The server's address, as it was.
  package var base: String
  package var request: Request
  /// Nil when no complete answer came; `failure` says why.
  package var reply: Reply?
  package var failure: String?

  package init(started: Int64, duration: Int, base: String, request: Request, reply: Reply?, failure: String?) {
    self.started = started
    self.duration = duration
    self.base = base
    self.request = request
    self.reply = reply
    self.failure = failure
  }
}
