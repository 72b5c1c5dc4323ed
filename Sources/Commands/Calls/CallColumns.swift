import Catalog
import CommandLanguage
import Foundation
import History
import Presentation
import ShellRuntime
import Text

/// The columns of `calls`, which its conditions refer to.
enum CallColumns {
  static let kinds: [String: ColumnKind] = [
    "n": .number, "time": .time, "profile": .text, "base": .text, "method": .text, "path": .text, "status": .number,
    "ms": .number, "size": .number, "type": .text,
  ]

  static func table(_ calls: [ExchangeRecord]) -> Table {
    Table(
      [
        .init("n", LocalizedText("n", ko: "번호"), isNumber: true),
        .init("time", LocalizedText("time", ko: "시각"), dropOrder: 1),
        .init("profile", LocalizedText("profile", ko: "프로필"), dropOrder: 2),
        .init("method", LocalizedText("method", ko: "메서드")),
        .init("path", LocalizedText("path", ko: "경로")),
        .init("status", LocalizedText("status", ko: "상태"), isNumber: true),
        .init("ms", LocalizedText("ms", ko: "ms"), isNumber: true),
        .init("size", LocalizedText("bytes", ko: "바이트"), isNumber: true, dropOrder: 3),
      ],
      rows: calls.map { call in
        [
          .number(call.number), .timestamp(time(call)), .text(call.profile), .text(call.method),
          .text(shown(call.path)),
          call.status.map { .number($0) } ?? .none, .amount(Amount(milliseconds(call))), .number(call.size),
        ]
      })
  }

  /// Returns the value of a column as text for conditions, or `nil` if the exchange has none.
  static func value(_ name: String, of call: ExchangeRecord) -> String? {
    switch name {
    case "n": String(call.number)
    case "time": time(call).description
    case "profile": call.profile
    case "base": call.base
    case "method": call.method
    case "path": call.path
    case "status": call.status.map { String($0) }
    case "ms": milliseconds(call).description
    case "size": String(call.size)
    case "type": call.type
    default: nil
    }
  }

  private static func shown(_ path: String) -> String { SecretPlaceholders.masked(path) }

  private static func time(_ call: ExchangeRecord) -> Timestamp { Timestamp(seconds: call.started / 1000, isUTC: true) }

  /// Returns the milliseconds with one decimal.
  private static func milliseconds(_ call: ExchangeRecord) -> Decimal {
    Decimal(sign: .plus, exponent: -1, significand: Decimal(call.duration / 100))
  }
}
