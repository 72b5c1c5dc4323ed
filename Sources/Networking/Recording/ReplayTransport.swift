import Foundation
import Synchronization

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
