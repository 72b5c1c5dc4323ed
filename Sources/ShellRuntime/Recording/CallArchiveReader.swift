import Foundation
import History
import Platform
import Presentation
import Text
import WriteJournal

/// The archive of exchanges for the commands that read it, including those that were just recorded.
package struct CallArchiveReader {
  private let recorder: CallRecorder
  private let clock: ProgramClock

  package init(_ recorder: CallRecorder, _ clock: ProgramClock) {
    self.recorder = recorder
    self.clock = clock
  }

  package func list(
    _ limit: Int, session: String?, where isWanted: (ExchangeRecord) -> Bool
  ) async throws -> [ExchangeRecord] {
    await recorder.flush()
    return try recorder.archive().list(limit: limit, session: session, where: isWanted)
  }

  package func count() async throws -> Int {
    await recorder.flush()
    return try recorder.archive().count()
  }

  /// Returns the exchange with that number.
  ///
  /// - Throws: `CommandError` if it isn't stored (any more); `StoreError`.
  package func exchange(_ number: Int) async throws -> StoredExchange {
    await recorder.flush()
    let now = Int64(clock.now().timeIntervalSince1970) * 1000
    guard let found = try recorder.archive().call(number, now: now),
      let exchange = try? JSONDecoder().decode(StoredExchange.self, from: found.content)
    else {
      throw CommandError(
        .refused,
        .failure("There is no call \(number).", ko: "\(number)번 호출이 없습니다.")
          .next("Run \(.command("calls")) to list the calls.", ko: "호출 목록은 \(.command("calls"))로 볼 수 있습니다."))
    }
    return exchange
  }
}
