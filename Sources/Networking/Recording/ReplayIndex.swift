import Foundation
import Synchronization

/// The answers of a recording by question, and how far each has been played.
struct ReplayIndex: Sendable {
  private struct Frame: Sendable {
    /// How many writes to the same place came before it.
    var age: Int
    var outcome: Result<Reply, TransportFailure>
  }

  private struct Reel: Sendable {
    var frames: [Frame] = []
    /// By age, how many were shown.
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

  /// Nil when there is none; a write is never answered twice with the same answer.
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

  /// One path lies within the other: a write to `/products/7` may change what `/products` and `/products/7/x` answer.
  func concerns(_ other: RecordedQuestion) -> Bool {
    guard base == other.base else { return false }
    return zip(steps, other.steps).allSatisfy { $0 == $1 }
  }

  private var steps: [Substring] { target.prefix { $0 != "?" }.split(separator: "/") }
}

/// What makes two requests the same question: server, method, address and body, without secrets, without the names that
/// are made afresh every time (boundaries, operations, file names).
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

  /// Enough to tell a file from another by accident; nobody attacks a recording of their own (FNV-1a, 64 bits).
  private static func digest(_ data: Data) -> String {
    let hash = data.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return "\(data.count) bytes \(String(hash, radix: 16))"
  }
}

/// Answers from a recording and opens no connection.
///
/// A write gets the answers it got, each once. A read gets what was answered between the same writes: how often the
/// program looks depends on how long things take, what it sees does not.
package final class ReplayTransport: Transport {
  private let reels: Mutex<ReplayIndex>
  private let standIns = Redactions()

  package init(_ exchanges: [RecordedExchange]) { reels = Mutex(ReplayIndex(exchanges)) }

  /// - Throws: `TransportFailure.Reason.notRecorded` for a question that the recording does not hold.
  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Reply {
    let question = RecordedQuestion(request, to: base, standIns)
    guard let outcome = reels.withLock({ $0.answer(question) }) else {
      try await giveUp()
      throw TransportFailure(.notRecorded(question.method + " " + question.target), extent: .nothing)
    }
    return try outcome.get()
  }

  /// A page that was asked for ahead and then not needed was never answered: whoever asks again gives it up as soon as
  /// the others are there, and only a question that is not given up is a gap.
  private func giveUp() async throws {
    do {
      try await Task.sleep(for: .milliseconds(250))
    } catch {
      throw TransportFailure(.cancelled, extent: .nothing)
    }
  }
}

/// What stands in a recording where a secret stood: its variable between double underscores, `__OPENMARKET_SECRET__`,
/// numbered when there was a second one of that name. A stand-in can be sent back, and stands for itself.
package final class Redactions: Sendable {
  private let names = Mutex<[NamedSecret: String]>([:])

  package init() {}

  /// The text with stand-ins for its secrets, the same for the same secret throughout.
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
