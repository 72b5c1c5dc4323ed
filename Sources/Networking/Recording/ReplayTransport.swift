import Foundation
import Synchronization

/// A transport that answers from a recording and opens no connection.
///
/// The recorded responses of a write are played in order, each once. A read gets a response that was recorded between
/// the same writes: how often the program polls depends on timing, but the state it sees does not.
package final class ReplayTransport: Transport {
  private let reels: Mutex<ReplayIndex>

  package init(_ exchanges: [RecordedExchange]) { reels = Mutex(ReplayIndex(exchanges)) }

  /// Returns the recorded outcome of the request.
  ///
  /// - Throws: `TransportError` as recorded, or with `.notRecorded` if the recording does not contain the request.
  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    let question = RequestKey(request, to: base)
    guard let outcome = reels.withLock({ $0.answer(question) }) else {
      try await giveUp()
      let target = SecretRedactor(request.secrets).mask(request.target)
      throw TransportError(.notRecorded(question.method + " " + target), extent: .none)
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
