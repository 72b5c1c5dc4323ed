import Foundation
import Synchronization

/// The responses of a recording by request, and how many of them were played.
struct ReplayIndex: Sendable {
  private struct Frame: Sendable {
    /// The number of earlier writes that affect the same path.
    var age: Int
    var outcome: Result<Reply, TransportFailure>
  }

  private struct Reel: Sendable {
    var frames: [Frame] = []
    /// The number of responses played, by `age`.
    var shown: [Int: Int] = [:]
  }

  private var reels: [RecordedQuestion: Reel] = [:]
  private var writes: [RecordedQuestion] = []

  init(_ exchanges: [RecordedExchange]) {
    var writes: [RecordedQuestion] = []
    for exchange in exchanges {
      let question = exchange.question
      let age = question.isRead ? writes.count { $0.concerns(question) } : 0
      reels[question, default: Reel()].frames.append(Frame(age: age, outcome: exchange.outcome))
      if !question.isRead { writes.append(question) }
    }
  }

  /// Returns the next recorded outcome, or `nil` if there is none.
  ///
  /// Each response to a write is played once.
  mutating func answer(_ question: RecordedQuestion) -> Result<Reply, TransportFailure>? {
    guard var reel = reels[question] else { return nil }
    let age = question.isRead ? writes.count { $0.concerns(question) } : 0
    let fitting = reel.frames.filter { $0.age == age }
    let shown = reel.shown[age, default: 0]
    if shown < fitting.count {
      reel.shown[age] = shown + 1
      reels[question] = reel
      if !question.isRead { writes.append(question) }
      return fitting[shown].outcome
    }
    guard question.isRead else { return nil }
    return (reel.frames.last { $0.age <= age } ?? reel.frames.first)?.outcome
  }
}

extension RecordedQuestion {
  var isRead: Bool { Method(rawValue: method)?.isRead ?? false }

  /// Returns true if one path contains the other: a write to `/products/7` may change the responses of `/products` and
  /// `/products/7/x`.
  func concerns(_ other: RecordedQuestion) -> Bool {
    guard base == other.base else { return false }
    return zip(steps, other.steps).allSatisfy { $0 == $1 }
  }

  private var steps: [Substring] { target.prefix { $0 != "?" }.split(separator: "/") }
}

/// The identity of a request in a recording: server, method, path and body.
///
/// Secrets are replaced with placeholders, and generated names (boundaries, operation identifiers, file names) are left
/// out.
package struct RecordedQuestion: Hashable, Sendable {
  package var base: String
  package var method: String
  package var target: String
  package var body: String

  package init(base: String, method: String, target: String, body: String) {
    self.base = base
    self.method = method
    self.target = target
    self.body = body
  }

  package init(_ request: Request, to base: URL, _ standIns: Redactions) {
    let text = base.absoluteString
    self.base = text.hasSuffix("/") ? String(text.dropLast()) : text
    method = request.method.rawValue
    target = standIns.hide(request.target, request.secrets)
    body = RecordedQuestion.text(of: request.body) { standIns.hide($0, request.secrets) }
  }

  private static func text(of body: Body, hide: (String) -> String) -> String {
    switch body {
    case .none: ""
    case .data(let data, _): String(validating: data, as: UTF8.self).map(hide) ?? digest(data)
    case .multipart(let form):
      form.parts.map { part in
        part.name + "="
          + (part.fileName == nil ? hide(String(decoding: part.content, as: UTF8.self)) : digest(part.content))
      }.joined(separator: "\n")
    }
  }

  /// Returns a checksum that tells files apart (FNV-1a, 64 bits).
  ///
  /// A recording is the user's own, so no cryptographic hash is needed.
  private static func digest(_ data: Data) -> String {
    let hash = data.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return "\(data.count) bytes \(String(hash, radix: 16))"
  }
}

/// A transport that answers from a recording and opens no connection.
///
/// The recorded responses of a write are played in order, each once. A read gets a response that was recorded between
/// the same writes: how often the program polls depends on timing, but the state it sees does not.
package final class ReplayTransport: Transport {
  private let reels: Mutex<ReplayIndex>
  private let standIns = Redactions()

  package init(_ exchanges: [RecordedExchange]) { reels = Mutex(ReplayIndex(exchanges)) }

  /// Returns the recorded outcome of the request.
  ///
  /// - Throws: `TransportFailure` as recorded, or with `.notRecorded` if the recording does not contain the request.
  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Reply {
    let question = RecordedQuestion(request, to: base, standIns)
    guard let outcome = reels.withLock({ $0.answer(question) }) else {
      try await giveUp()
      throw TransportFailure(.notRecorded(question.method + " " + question.target), extent: .nothing)
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
      throw TransportFailure(.cancelled, extent: .nothing)
    }
  }
}

/// The placeholders for secrets in a recording: the variable between double underscores, such as
/// `__OPENMARKET_SECRET__`, numbered for a second secret with the same variable.
///
/// A placeholder can be sent in a request, and redacting it again leaves it unchanged.
package final class Redactions: Sendable {
  private let names = Mutex<[NamedSecret: String]>([:])

  package init() {}

  /// Returns the text with placeholders for its secrets.
  ///
  /// A secret has the same placeholder throughout.
  package func hide(_ text: String, _ secrets: [NamedSecret]) -> String {
    Masker(secrets).pieces(of: text).map { piece in
      switch piece {
      case .text(let text): text
      case .secret(let variable, _): secrets.first { $0.variable == variable }.map(name) ?? Secret.mask
      }
    }.joined()
  }

  private func name(of secret: NamedSecret) -> String {
    let value = secret.secret.reveal()
    if value.hasPrefix("__"), value.hasSuffix("__") { return value }
    return names.withLock { names in
      if let known = names[secret] { return known }
      let twins = names.keys.count { $0.variable == secret.variable }
      let name = "__\(secret.variable)\(twins == 0 ? "" : "_\(twins + 1)")__"
      names[secret] = name
      return name
    }
  }
}
