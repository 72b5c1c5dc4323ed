import Catalog
import Foundation
import Text

/// Numbers formatted for users: `1,387`, `₩3,500`, `US$19.90`, `5.1 MB`.
package enum NumberFormatting {
  /// Returns the digits with thousands separators.
  ///
  /// A sign and decimals are preserved.
  package static func grouped(_ digits: String) -> String { Amount.grouped(digits) }

  package static func grouped(_ number: Int) -> String { grouped(String(number)) }

  /// Returns an amount with the symbol or code of its currency, never rounded.
  package static func money(_ amount: Amount, _ currency: Currency?, ascii: Bool = false) -> String {
    amount.formatted(in: currency, ascii: ascii)
  }

  /// Returns a size, with 1 KB as 1024 bytes, as in the limit of the market.
  ///
  /// It is truncated, not rounded, so that 299.9 KB is not shown as 300.
  package static func bytes(_ count: Int) -> String {
    let units = ["KB", "MB", "GB", "TB"]
    guard count >= 1024 else { return "\(count) B" }
    var scale = 1024
    var unit = 0
    while unit < units.count - 1, count / scale >= 1024 {
      scale *= 1024
      unit += 1
    }
    let whole = count / scale
    let tenth = count % scale * 10 / scale
    return unit > 0 && whole < 100 ? "\(whole).\(tenth) \(units[unit])" : "\(whole) \(units[unit])"
  }

  /// Returns the relative change, such as `-90 %` or `+3.5 %`; `nil` if there is nothing to compare.
  ///
  /// It is rounded to one decimal, but not to `-100 %` or `0 %`, which would say that nothing is left or changed.
  package static func percent(from before: Amount, to after: Amount) -> String? {
    guard before != .zero, before != after else { return nil }
    let exact = Amount((after.decimalValue - before.decimalValue) / before.decimalValue * 100)
    let share =
      (1...6).lazy.map { exact.rounded(to: $0) }.first { $0 != .zero && ($0 != Amount(-100) || after == .zero) }
      ?? exact
    return (share > .zero ? "+" : "") + grouped(share.description) + " %"
  }
}
