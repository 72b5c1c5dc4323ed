import Catalog
import Networking
import Text

/// A value in an expression: the text as typed, and its type for the field that it is compared with.
package struct LiteralValue: Hashable, Sendable {
  /// The type of the value, which determines how it is compared.
  package enum Meaning: Hashable, Sendable {
    case text
    case number(Amount)
    /// A date without a time, a month or a year: complete days in the server's calendar.
    case days(ClosedRange<Int64>)
    case timestamp(Timestamp)
    /// The current vendor, `me`.
    case me
    /// A regular expression after `~`: `/…/`.
    case pattern(RegexPattern)
    /// A relative time, `today-7d` or `30d`, which depends on the time of the evaluation.
    case relativeTime(RelativeTime)
    /// The other date of the same product.
    case fieldReference(ProductField)
  }

  package let text: String
  package let meaning: Meaning
  /// The text of a comparison `~`, prepared for the search in many values, or `nil` for another comparison.
  let searchPattern: CaseInsensitivePattern?

  /// Interprets `text` for a comparison with `field`, or returns `nil` if it can't be a value of that field.
  package init?(_ text: String, for field: ProductField, _ comparison: Comparison) {
    self.init(text, comparison) {
      switch field {
      case .id, .price, .discount, .sale, .stock, .images: LiteralValue.meaning(of: text, as: .number, comparison)
      case .vendorID where text != "me": NumberLiteral.decimal(text).map { .number($0) }
      case .vendor, .vendorID: text == "me" ? .me : .text
      case .created, .modified:
        switch text {
        case ProductField.created.rawValue: .fieldReference(.created)
        case ProductField.modified.rawValue: .fieldReference(.modified)
        default: LiteralValue.meaning(of: text, as: .time, comparison)
        }
      case .name, .description, .currency, .thumbnail: .text
      }
    }
  }

  /// Interprets `text` for a comparison with a column, or returns `nil` if it can't be a value of that kind.
  init?(_ text: String, as kind: ColumnKind, _ comparison: Comparison) {
    self.init(text, comparison) { LiteralValue.meaning(of: text, as: kind, comparison) }
  }

  private init?(_ text: String, _ comparison: Comparison, _ typed: () -> Meaning?) {
    let isSought = comparison == .contains || comparison == .notContains
    guard let meaning = isSought ? .text : typed() else { return nil }
    self.text = text
    self.meaning = meaning
    searchPattern = isSought ? CaseInsensitivePattern(text) : nil
  }

  private static func meaning(of text: String, as kind: ColumnKind, _ comparison: Comparison) -> Meaning? {
    switch kind {
    case .text: .text
    case .number: number(text).map { .number($0) }
    case .time: date(text, comparison)
    }
  }

  /// Returns the meaning of a date: `2026-06-01`, `2026-06`, `2026`, `2026-06-01T09:30`, or a relative time.
  ///
  /// Returns `nil` for other text, and for an age that isn't compared by its order.
  private static func date(_ text: String, _ comparison: Comparison) -> Meaning? {
    if let time = RelativeTime(text) { return !time.isAge || comparison.isOrdering ? .relativeTime(time) : nil }
    if let days = wholeDays(text) { return .days(days) }
    return (Timestamp(text) ?? (text.utf8.count == 16 ? Timestamp(text + ":00") : nil)).map { .timestamp($0) }
  }

  /// Returns the days of a date, a month or a year, or `nil` for other text.
  private static func wholeDays(_ text: String) -> ClosedRange<Int64>? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || (48...57).contains($0) }),
      parts.map(\.utf8.count) == Array([4, 2, 2].prefix(parts.count)), let year = Int64(parts[0])
    else { return nil }
    let month = parts.count > 1 ? Int64(parts[1]) : nil
    let day = parts.count > 2 ? Int64(parts[2]) : nil
    guard let first = CivilDate(year: year, month: month ?? 1, day: day ?? 1)?.daysSince1970 else { return nil }
    if day != nil { return first...first }
    let next =
      month.map { CivilDate(year: $0 == 12 ? year + 1 : year, month: $0 % 12 + 1, day: 1) }
      ?? CivilDate(year: year + 1, month: 1, day: 1)
    return next.map { first...$0.daysSince1970 - 1 }
  }

  /// Returns a decimal number, also in exponent notation.
  ///
  /// A condition writes nothing, so `1e7` is accepted here.
  private static func number(_ text: String) -> Amount? {
    if let number = NumberLiteral.decimal(text) ?? JSONNumber(text).flatMap({ JSON.number($0).amount }) {
      return number
    }
    // Multipliers as in assignments; blanks between the digits of a copied number group thousands.
    return FormattedAmount(text.withPlainDigits).flatMap { $0.currency == nil ? $0.amount : nil }
  }

  /// Interprets a text without a field, by its form.
  package init(_ text: String) {
    self.text = text
    searchPattern = nil
    if let number = NumberLiteral.decimal(text) {
      meaning = .number(number)
    } else if let moment = Timestamp(text) {
      meaning = text.utf8.count == 10 ? Meaning(dayOf: moment) : .timestamp(moment)
    } else {
      meaning = .text
    }
  }

  /// Creates a currency code, ignoring the case in which it was typed.
  init(currency code: String) {
    text = code.uppercased()
    meaning = .text
    searchPattern = nil
  }

  init(_ pattern: RegexPattern) {
    text = pattern.source
    meaning = .pattern(pattern)
    searchPattern = nil
  }

  init(_ moment: Timestamp, isDay: Bool) {
    text = moment.description
    searchPattern = nil
    meaning = isDay ? Meaning(dayOf: moment) : .timestamp(moment)
  }

  /// Creates the value of days since 1970, each from its first to its last second.
  init(days: ClosedRange<Int64>) {
    self.init(text: CivilDate(daysSince1970: days.lowerBound).description, meaning: .days(days))
  }

  /// The value with a time in UTC replaced by that of the clock of this machine.
  var onLocalClock: LiteralValue {
    guard case .timestamp(let moment) = meaning, moment.isUTC else { return self }
    return LiteralValue(moment.local, isDay: false)
  }

  /// The current vendor.
  package static let me = LiteralValue(text: "me", meaning: .me)

  private init(text: String, meaning: Meaning) {
    self.text = text
    self.meaning = meaning
    searchPattern = nil
  }

  static func day(of moment: Timestamp) -> Int64 {
    moment.seconds >= 0 ? moment.seconds / 86_400 : (moment.seconds - 86_399) / 86_400
  }
}

extension LiteralValue.Meaning {
  /// A Boolean value that indicates whether values are compared as text, whatever the field is.
  var isText: Bool {
    switch self {
    case .text, .pattern: true
    case .number, .days, .timestamp, .me, .relativeTime, .fieldReference: false
    }
  }

  /// The day that contains a moment.
  init(dayOf moment: Timestamp) {
    let day = LiteralValue.day(of: moment)
    self = .days(day...day)
  }
}

/// An amount with thousands separators, the symbol of its currency or a multiplier: `17k`, `1.7만`.
package struct FormattedAmount: Hashable, Sendable {
  package let amount: Amount
  package let currency: Currency?

  private static let signs: [(String, Currency)] = [
    ("₩", .krw), ("￦", .krw), ("원", .krw), ("¥", Currency("JPY")), ("￥", Currency("JPY")),
  ]

  private static let multipliers = [("만", 10_000), ("천", 1_000), ("k", 1_000), ("K", 1_000)]

  /// Returns the text without the sign of a currency in front.
  static func withoutSign(_ text: String) -> String {
    signs.contains { $0.0 != "원" && text.hasPrefix($0.0) } ? String(text.dropFirst()) : text
  }

  /// Returns the text without `원` and without a multiplier at its end.
  static func withoutEnding(_ text: String) -> String {
    var text = text.nfcNormalized
    for ending in ["원"] + multipliers.map(\.0) where text.hasSuffix(ending) { text.removeLast() }
    return text
  }

  /// Returns `nil` for a plain number, and for ambiguous text such as `19,99`.
  package init?(_ text: String) {
    var digits = text.nfcNormalized
    var currency: Currency?
    for (sign, code) in FormattedAmount.signs where currency == nil {
      if sign != "원", digits.hasPrefix(sign) {
        digits = String(digits.dropFirst())
        currency = code
      } else if sign == "원", digits.hasSuffix(sign) {
        digits = String(digits.dropLast())
        currency = code
      }
    }
    let multiplier = FormattedAmount.multipliers.first { digits.hasSuffix($0.0) && digits.count > 1 }
    if multiplier != nil { digits.removeLast() }
    let groups = digits.split(separator: ",", omittingEmptySubsequences: false)
    guard currency != nil || groups.count > 1 || multiplier != nil else { return nil }
    let isGrouped =
      groups.count == 1
      || (1...3).contains(groups[0].count)
        && groups.dropFirst().enumerated().allSatisfy { index, group in
          let whole = index == groups.count - 2 ? group.prefix { $0 != "." } : group
          return whole.count == 3
        }
    guard isGrouped, let typed = Amount(typed: groups.joined()),
      let amount = multiplier.map({ Amount(typed: (typed * Amount($0.1)).description) }) ?? typed
    else { return nil }
    self.amount = amount
    self.currency = currency
  }

  /// Returns the error for an amount in a currency other than the price's.
  package static func mismatch(_ sign: Currency, _ other: Currency, at range: Range<Int>? = nil) -> ParseError {
    ParseError(
      LocalizedText(
        "The amount is in \(sign.code), but the price of the product is in \(other.code).",
        ko: "금액은 \(sign.code), 상품의 통화는 \(other.code)입니다."),
      suggestion: LocalizedText(
        "Type only the number, or add \(.command("currency=\(sign.code)")).",
        ko: "숫자만 적거나 \(.command("currency=\(sign.code)"))도 함께 적습니다."), at: range)
  }
}
