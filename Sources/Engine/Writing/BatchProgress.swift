import Catalog
import Foundation
import Journal
import Text

/// How far a batch is: done of total, rate, time left.
struct BatchProgress {
  private let total: Int
  private let start: Date
  private var over = 0
  private var failed = 0
  private var shown = Date.distantPast

  init(total: Int, start: Date) {
    self.total = total
    self.start = start
  }

  mutating func count(_ outcome: Outcome) {
    over += 1
    if outcome.isFailure { failed += 1 }
  }

  /// Nil while the last line is younger than a tenth of a second.
  mutating func line(at now: Date, doubtful: Int) -> Wording? {
    guard now.timeIntervalSince(shown) >= 0.1 else { return nil }
    shown = now
    let seconds = max(now.timeIntervalSince(start), 0.001)
    let rate = Double(over) / seconds
    let speed = rate >= 10 ? String(Int(rate.rounded())) : String((rate * 10).rounded() / 10)
    let left = rate > 0 ? Int((Double(total - over) / rate).rounded(.up)) : 0
    var english = "\(over)/\(total), \(speed)/s, \(left) s left"
    var korean = "\(over)/\(total), 초당 \(speed)건, \(left)초 남음"
    if failed > 0 {
      english += ", \(failed) failed"
      korean += ", 실패 \(failed)건"
    }
    if doubtful > 0 {
      english += ", \(doubtful) unknown"
      korean += ", 모름 \(doubtful)건"
    }
    return Wording("\(english)", ko: "\(korean)")
  }
}
