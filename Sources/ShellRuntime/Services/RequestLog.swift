import Networking
import Presentation
import Synchronization
import Text
import WriteJournal

/// The retries of reads and the last exchange of a command.
///
/// There is one per process. Requests may run concurrently, so the attempts of one are matched by method and URL.
package final class RequestLog: Sendable {
  private struct Retried {
    var request: String
    var outcomes: [LocalizedText]
    var isOver = false
  }

  private struct State {
    var retried: [Retried] = []
    var last: Exchange?
  }

  private let state = Mutex(State())

  package init() {}

  /// The exchange that ended last, or `nil` before the first.
  package var last: Exchange? { state.withLock { $0.last } }

  package func note(_ exchange: Exchange) {
    let request = "\(exchange.request.method.rawValue) \(exchange.request.target)"
    let outcome = RequestLog.word(for: exchange.outcome)
    state.withLock { state in
      state.last = exchange
      if exchange.attempt > 1,
        let index = state.retried.lastIndex(where: {
          $0.request == request && $0.outcomes.count == exchange.attempt - 1 && !$0.isOver
        })
      {
        state.retried[index].outcomes.append(outcome)
        state.retried[index].isOver = RequestLog.isFinal(exchange.outcome)
      } else if !RequestLog.isFinal(exchange.outcome) {
        state.retried.append(Retried(request: request, outcomes: [outcome]))
      }
    }
  }

  /// Returns a message about reads that were sent more than once since the last call, or `nil`.
  package func takeRetries() -> Message? {
    let retried = state.withLock { state in
      defer { state.retried = [] }
      return state.retried.map(\.outcomes).filter { $0.count > 1 }
    }
    guard let first = retried.first else { return nil }
    if retried.count == 1 {
      let outcomes = RequestLog.list(first)
      return .note(
        "\(first.count) attempts: \(outcomes.english)", ko: "\(first.count)번 시도: \(outcomes.korean)")
    }
    var counts: [(outcome: LocalizedText, count: Int)] = []
    for outcome in retried.flatMap({ $0.dropLast() }) {
      if let index = counts.firstIndex(where: { $0.outcome == outcome }) {
        counts[index].count += 1
      } else {
        counts.append((outcome, 1))
      }
    }
    let outcomes = RequestLog.list(
      counts.map { LocalizedText("\($0.outcome.english) × \($0.count)", ko: "\($0.outcome.korean) × \($0.count)") })
    return .note(
      "\(retried.count) requests were sent more than once: \(outcomes.english)",
      ko: "요청 \(retried.count)건을 다시 보냈습니다: \(outcomes.korean)")
  }

  private static func isFinal(_ outcome: Result<Response, TransportError>) -> Bool {
    guard case .success(let response) = outcome else { return false }
    return response.status != 429 && response.status != 503
  }

  private static func list(_ words: [LocalizedText]) -> LocalizedText {
    words.dropFirst().reduce(words.first ?? LocalizedText(same: "")) { whole, next in
      LocalizedText("\(whole.english), \(next.english)", ko: "\(whole.korean), \(next.korean)")
    }
  }

  private static func word(for outcome: Result<Response, TransportError>) -> LocalizedText {
    switch outcome {
    case .success(let response): LocalizedText(same: "\(response.status)")
    case .failure(let failure): failure.evidence.wording
    }
  }
}
