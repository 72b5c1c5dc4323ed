/// The answers of a recording by question, and how far each has been played.
struct Reels: Sendable {
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
