import Foundation
import Synchronization

/// Answers from a recording and opens no connection: the same question gets its answers in the order they were given.
package final class ReplayTransport: Transport {
  private let left: Mutex<[RecordedQuestion: ArraySlice<Result<Reply, TransportFailure>>]>
  private let standIns = StandIns()

  package init(_ exchanges: [RecordedExchange]) {
    left = Mutex(Dictionary(grouping: exchanges, by: \.question).mapValues { $0.map(\.outcome)[...] })
  }

  /// - Throws: `TransportFailure.Reason.notRecorded` for a question that the recording does not hold, or holds no more.
  package func send(_ request: Request, to base: URL, deadline: Duration) async throws -> Reply {
    let question = RecordedQuestion(request, to: base, standIns)
    guard let outcome = left.withLock({ $0[question]?.popFirst() }) else {
      try await giveUp()
      throw TransportFailure(.notRecorded(question.method + " " + question.target), mayHaveBeenSent: false)
    }
    return try outcome.get()
  }

  /// A page that was asked for ahead and then not needed was never answered: whoever asks again gives it up as soon as
  /// the others are there, and only a question that is not given up is a gap.
  private func giveUp() async throws {
    do {
      try await Task.sleep(for: .milliseconds(250))
    } catch {
      throw TransportFailure(.cancelled, mayHaveBeenSent: false)
    }
  }
}
