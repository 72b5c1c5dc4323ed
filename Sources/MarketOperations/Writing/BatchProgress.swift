import Foundation
import Text
import WriteJournal

/// The progress of a batch: done, total, rate, remaining time.
struct BatchProgress {
  private let total: Int
  private let start: Date
  private var finished = 0
  private var failed = 0
  private var shown = Date.distantPast

  init(total: Int, start: Date) {
    self.total = total
    self.start = start
  }

  mutating func count(_ outcome: Outcome) {
    finished += 1
    if outcome.isFailure { failed += 1 }
  }

  /// Returns the status line, or `nil` if the last one is younger than a tenth of a second.
  mutating func statusLine(at now: Date, doubtful: Int) -> LocalizedText? {
    guard now.timeIntervalSince(shown) >= 0.1 else { return nil }
    shown = now
    let seconds = max(now.timeIntervalSince(start), 0.001)
    let rate = Double(finished) / seconds
    let speed = rate >= 10 ? String(Int(rate.rounded())) : String((rate * 10).rounded() / 10)
    let left = rate > 0 ? Int((Double(total - finished) / rate).rounded(.up)) : 0
    var english = "\(finished) of \(total) changes, \(speed)/s, \(left) s left"
    var korean = "변경 \(total)건 중 \(finished)건, 초당 \(speed)건, \(left)초 남음"
    if failed > 0 {
      english += ", \(failed) failed"
      korean += ", 실패 \(failed)건"
    }
    if doubtful > 0 {
      english += ", \(doubtful) unknown"
      korean += ", 결과 미확인 \(doubtful)건"
    }
    return LocalizedText("\(english)", ko: "\(korean)")
  }
}
