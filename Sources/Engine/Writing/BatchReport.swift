import Catalog
import Foundation
import Journal
import Presentation
import Text

/// How a batch ended, in a sentence, and how to go on.
enum BatchSummary {
  /// - Parameter batch: its number in the log, by which `undo` takes it back; nil where nothing was sent.
  static func message(_ outcomes: [Outcome], batch: Int? = nil) -> Message {
    let fine = outcomes.filter(\.isFine).count
    let open = outcomes.filter(\.canBeResumed).count
    let unknown = outcomes.filter(\.isUnknown).count
    let failed = outcomes.count - fine - open - unknown
    let same = outcomes.count(where: \.isUnchanged)
    var message = Message(
      fine < outcomes.count ? .warning : .success,
      LocalizedText("\(fine) of \(outcomes.count) done.", ko: "\(outcomes.count)건 중 \(fine)건을 마쳤습니다."))
    if same > 0 {
      message = message.because("\(same) of them had nothing to change.", ko: "그중 \(same)건은 바꿀 것이 없었습니다.")
    }
    if let lied = outcomes.first(where: \.isNotStored)?.detail {
      message = message.because(lied)
    }
    if failed > 0 {
      message = message.because("\(failed) could not be made.", ko: "\(failed)건은 실패했습니다.")
    }
    if open > 0 {
      message = message.because(
        "\(open) \(open == 1 ? StyledText("was") : "were") not sent.", ko: "\(open)건은 보내지 않았습니다."
      )
      .next("\(.command("resume")) goes on with them.", ko: "\(.command("resume"))으로 이어서 합니다.")
    }
    if unknown > 0 {
      message = message.because(
        "Of \(unknown) it is not known whether they took effect.", ko: "\(unknown)건은 적용되었는지 알 수 없습니다."
      ).next(
        "\(.command("status")) lists them, \(.command("resume")) finds out.",
        ko: "\(.command("status"))에서 보고 \(.command("resume"))으로 확인합니다.")
    }
    if let batch, outcomes.contains(where: \.isDone) {
      message = message.next(
        "\(.command("undo batch \(batch)")) takes it back.",
        ko: "\(.command("undo batch \(batch)"), .toward) 되돌릴 수 있습니다.")
    }
    return message
  }
}

extension Outcome {
  fileprivate var isUnchanged: Bool {
    if case .unchanged = self { true } else { false }
  }

  fileprivate var isNotStored: Bool {
    if case .notStored = self { true } else { false }
  }

  /// It was sent and took effect.
  var isDone: Bool {
    if case .done = self { true } else { false }
  }

  /// `resume` would make it.
  fileprivate var canBeResumed: Bool {
    switch self {
    case .notSent, .cutShort, .noJournal, .held, .notApplied, .skipped: true
    case .done, .unchanged, .refused, .notStored, .unknown, .drifted, .asked: false
    }
  }

  fileprivate var isUnknown: Bool {
    switch self {
    case .unknown, .asked: true
    case .done, .unchanged, .refused, .notSent, .cutShort, .noJournal, .held, .notApplied, .notStored, .skipped,
      .drifted:
      false
    }
  }
}

/// One row a target of a batch: `id`, `outcome`, `detail` as the log has it.
package enum BatchTable {
  /// - Parameter returned: of creates that bring a deleted product back, the id it had, by the place of the change; the row
  ///   maps it to the new one.
  package static func of(_ plan: Plan, _ outcomes: [Outcome], returned: [Int: Product.ID] = [:]) -> Table {
    var rest = zip(plan.changes, outcomes).enumerated().makeIterator()
    let rows = (0..<outcomes.count + plan.unchanged.count).compactMap { place -> [Table.Cell]? in
      if let product = plan.unchanged[place] { return row(product.id, .unchanged(product)) }
      return rest.next().map { index, end in
        let (change, outcome) = end
        guard let old = returned[index] else { return row(change.product?.id ?? outcome.product?.id, outcome) }
        let now = outcome.product.map { LocalizedText("product \($0.id) now", ko: "이제 \($0.id)번 상품") }
        return row(old, outcome, now)
      }
    }
    return Table(
      [
        .init("id", LocalizedText("id", ko: "번호"), isNumber: true),
        .init("outcome", LocalizedText("outcome", ko: "결과")),
        .init("detail", LocalizedText("detail", ko: "내용")),
      ], rows: rows)
  }

  private static func row(_ id: Product.ID?, _ outcome: Outcome, _ now: LocalizedText? = nil) -> [Table.Cell] {
    [
      id.map { .number($0) } ?? .none, .wording(outcome.words), (outcome.detail ?? now).map { .wording($0) } ?? .none,
    ]
  }
}

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
  mutating func line(at now: Date, doubtful: Int) -> LocalizedText? {
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
      korean += ", 결과 미확인 \(doubtful)건"
    }
    return LocalizedText("\(english)", ko: "\(korean)")
  }
}
