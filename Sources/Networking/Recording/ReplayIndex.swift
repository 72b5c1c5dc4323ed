/// The responses of a recording by request, and how many of them were played.
struct ReplayIndex: Sendable {
  private struct RecordedResponse: Sendable {
    /// The number of earlier writes that affect the same path.
    var precedingWrites: Int
    var outcome: Result<Response, TransportError>
  }

  private struct ResponseQueue: Sendable {
    var frames: [RecordedResponse] = []
    /// The number of responses played, by `precedingWrites`.
    var playedCount: [Int: Int] = [:]
  }

  private var reels: [RequestKey: ResponseQueue] = [:]
  private var writes: [RequestKey] = []

  init(_ exchanges: [RecordedExchange]) {
    var writes: [RequestKey] = []
    for exchange in exchanges {
      let question = exchange.question
      let age = question.isRead ? writes.count { $0.overlaps(question) } : 0
      reels[question, default: ResponseQueue()].frames.append(
        RecordedResponse(precedingWrites: age, outcome: exchange.outcome))
      if !question.isRead { writes.append(question) }
    }
  }

  /// Returns the next recorded outcome, or `nil` if there is none.
  ///
  /// Each response to a write is played once.
  mutating func answer(_ question: RequestKey) -> Result<Response, TransportError>? {
    guard var reel = reels[question] else { return nil }
    let age = question.isRead ? writes.count { $0.overlaps(question) } : 0
    let fitting = reel.frames.filter { $0.precedingWrites == age }
    let shown = reel.playedCount[age, default: 0]
    if shown < fitting.count {
      reel.playedCount[age] = shown + 1
      reels[question] = reel
      if !question.isRead { writes.append(question) }
      return fitting[shown].outcome
    }
    guard question.isRead else { return nil }
    return (reel.frames.last { $0.precedingWrites <= age } ?? reel.frames.first)?.outcome
  }
}
