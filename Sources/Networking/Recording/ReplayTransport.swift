import Foundation
import Synchronization

/// A transport that returns responses of a recording and opens no connection.
///
/// The recorded responses of a write are played in order, each once. A read gets a response that was recorded between
/// the same writes: how often the program polls depends on timing, but the state it sees does not.
package final class ReplayTransport: Transport {
  private let index: Mutex<ReplayIndex>

  package init(_ exchanges: [RecordedExchange]) { index = Mutex(ReplayIndex(exchanges)) }

  /// Returns the recorded outcome of the request.
  ///
  /// - Throws: `TransportError` as recorded, or with `.notRecorded` if the recording does not contain the request.
  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    let key = RequestKey(request, to: base)
    guard let outcome = index.withLock({ $0.outcome(of: key) }) else {
      try await giveUp()
      let target = SecretRedactor(request.secrets, in: .request).mask(request.target)
      throw TransportError(.notRecorded(key.method + " " + target), extent: .none)
    }
    return try outcome.get()
  }

  /// Waits before a gap in the recording is reported.
  ///
  /// A page that was prefetched but never used has no recorded response. Its caller cancels the request soon, so only a
  /// request that is not cancelled is a gap.
  private func giveUp() async throws {
    do {
      try await Task.sleep(for: .milliseconds(250))
    } catch {
      throw TransportError(.cancelled, extent: .none)
    }
  }
}

/// The key of a request of a recording, and its outcome.
package struct RecordedExchange: Hashable, Sendable {
  package var key: RequestKey
  package var outcome: Result<Response, TransportError>

  package init(key: RequestKey, outcome: Result<Response, TransportError>) {
    self.key = key
    self.outcome = outcome
  }
}

/// The outcomes of a recording by request, and how many of them were played.
struct ReplayIndex: Sendable {
  private struct OutcomeQueue: Sendable {
    /// The outcomes, each with the number of earlier writes that affect the same path.
    var outcomes: [(precedingWrites: Int, outcome: Result<Response, TransportError>)] = []
    /// The number of outcomes played, by `precedingWrites`.
    var playedCount: [Int: Int] = [:]
  }

  private var queues: [RequestKey: OutcomeQueue] = [:]
  private var writes: [RequestKey] = []

  init(_ exchanges: [RecordedExchange]) {
    var writes: [RequestKey] = []
    for exchange in exchanges {
      let key = exchange.key
      let precedingWrites = key.isRead ? writes.count { $0.overlaps(key) } : 0
      queues[key, default: OutcomeQueue()].outcomes.append((precedingWrites, exchange.outcome))
      if !key.isRead { writes.append(key) }
    }
  }

  /// Returns the next recorded outcome, or `nil` if there is none.
  ///
  /// Each outcome of a write is played once.
  mutating func outcome(of key: RequestKey) -> Result<Response, TransportError>? {
    guard var queue = queues[key] else { return nil }
    let precedingWrites = key.isRead ? writes.count { $0.overlaps(key) } : 0
    let fitting = queue.outcomes.filter { $0.precedingWrites == precedingWrites }
    let played = queue.playedCount[precedingWrites, default: 0]
    if played < fitting.count {
      queue.playedCount[precedingWrites] = played + 1
      queues[key] = queue
      if !key.isRead { writes.append(key) }
      return fitting[played].outcome
    }
    guard key.isRead else { return nil }
    return (queue.outcomes.last { $0.precedingWrites <= precedingWrites } ?? queue.outcomes.first)?.outcome
  }
}

extension RequestKey {
  var isRead: Bool { RequestMethod(rawValue: method)?.isSafe ?? false }

  /// One path is a prefix of the other: a write to `/products/7` may change what `/products` and `/products/7/x` answer.
  func overlaps(_ other: RequestKey) -> Bool { zip(steps, other.steps).allSatisfy { $0 == $1 } }

  private var steps: [Substring] { url.prefix { $0 != "?" }.split(separator: "/") }
}

/// A request as a recording identifies it: method, address and body, with dots in place of secrets and without what is
/// new in every request (boundaries, operations, the bytes of files).
package struct RequestKey: Hashable, Sendable {
  package var method: String
  package var url: String
  package var body: String

  /// - Parameter url: absolute; it is compared without its percent-encoding.
  package init(method: String, url: String, body: String) {
    self.method = method
    self.url = url.removingPercentEncoding ?? url
    self.body = body
  }

  package init(_ request: Request, to base: URL) {
    let masker = SecretRedactor(request.secrets, in: .request)
    let url = (try? request.url(at: base)) ?? base.absoluteString + request.target
    let body =
      switch request.body {
      case .none: ""
      case .data(let data, _): String(validating: data, as: UTF8.self).map(masker.mask) ?? ""
      case .multipart(let form):
        RequestKey.body(
          of: form.parts.map { part in
            (
              part.name,
              part.fileName == nil
                ? masker.replacing(in: String(decoding: part.content, as: UTF8.self), ofField: part.name) { _ in
                  Secret.mask
                } : nil
            )
          })
      }
    self.init(method: request.method.rawValue, url: masker.mask(url), body: body)
  }

  /// A form as one text; files, which archives do not hold, count by the name of their part.
  package static func body(of form: [(name: String, text: String?)]) -> String {
    form.map { $0.name + ($0.text.map { "=" + $0 } ?? "") }.joined(separator: "\n")
  }
}
