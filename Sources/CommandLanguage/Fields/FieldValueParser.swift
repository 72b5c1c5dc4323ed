import Catalog
import FoundationEssentials
import Text

/// The parser for typed values of product fields.
///
/// Every error says what would be valid.
package enum FieldValueParser {
  /// The range of stock.
  ///
  /// Values up to 10^12 occur.
  package static let stockRange = 0...1_000_000_000_000

  /// Parses a price or discount: digits with up to 2 decimals, without exponent and separators.
  ///
  /// - Throws: `ParseError`, as all functions here, with the field and its valid values.
  package static func amount(_ text: String, of field: ProductField, at range: Range<Int>? = nil) throws(ParseError)
    -> Amount
  {
    if let amount = Amount(typed: text.withPlainDigits) { return amount }
    let didYouMean = suggestion(text.withPlainDigits).map { plain in
      plain.contains(".") && !text.contains(".")
        ? LocalizedText(
          "Commas group three digits, as in \(.value("9,900")). Decimals follow a point: \(.value(plain)).",
          ko: "쉼표는 \(.value("9,900"))처럼 세 자리마다, 소수점은 \(.value(plain))처럼 씁니다.")
        : LocalizedText("Did you mean \(.value(plain))?", ko: "\(.value(plain), .object) 뜻하셨나요?")
    }
    throw ParseError(
      LocalizedText(
        "Invalid value for \(.field(field)): \(quotedIfEmpty(text))\(contained(in: text, .english)).",
        ko: "\(.field(field)) 값으로 \(quotedIfEmpty(text), .object) 쓸 수 없습니다\(contained(in: text, .korean))."),
      suggestion: (range == nil ? nil : relativeChange(text, of: field)) ?? didYouMean
        ?? LocalizedText(
          "Write a price as \(.value("12900")) or \(.value("19.99")): up to 15 digits, up to 2 decimals.",
          ko: "금액은 \(.value("12900"))이나 \(.value("19.99"))처럼 씁니다. 숫자 15자리, 소수 둘째 자리까지입니다."),
      at: range)
  }

  /// Returns the suggestion `stock+=3` for a typed `stock=+3`, or `nil` for a value without a sign.
  private static func relativeChange(_ text: String, of field: ProductField) -> LocalizedText? {
    let text = text.withPlainDigits
    guard let match = text.wholeMatch(of: /([+-])([0-9][0-9.,]*%?)/) else { return nil }
    let line = "\(field.rawValue)\(match.1)=\(match.2)"
    return LocalizedText("Did you mean \(.command(line))?", ko: "\(.command(line), .object) 뜻하셨나요?")
  }

  /// Parses the value of a cell of a file: an amount, an integer, a currency code, or any text.
  ///
  /// - Throws: `ParseError` for a text that isn't a value of the field.
  package static func value(_ text: String, of field: ProductField) throws(ParseError) -> FieldValue {
    switch field {
    case .price, .discount, .sale: .amount(try amount(text, of: field))
    case .stock: .number(try stock(text))
    case .currency: .text(try currency(text).code)
    case .name, .description, .id, .vendor, .vendorID, .created, .modified, .thumbnail, .images: .text(text)
    }
  }

  /// Returns the value of a text as it is compared: the text itself if it isn't a value of the field.
  ///
  /// Numbers are equal as numbers, because a spreadsheet writes 19000 as 19000.00.
  package static func comparable(_ text: String, of field: ProductField) -> FieldValue {
    (try? value(text, of: field)) ?? .text(text)
  }

  /// Parses a price in everyday notation, including `18,500`, `₩18,500` and `18,500원`, which are unambiguous.
  ///
  /// - Returns: The amount, and the currency that its symbol implies, which must be the product's currency.
  /// - Throws: `ParseError` for an invalid amount.
  package static func money(
    _ text: String, of field: ProductField, at range: Range<Int>? = nil
  ) throws(ParseError) -> (amount: Amount, currency: Currency?) {
    let plain = text.withPlainDigits
    if let money = FormattedAmount(plain) { return (money.amount, money.currency) }
    return (try amount(text, of: field, at: range), nil)
  }

  /// Returns the words that name a character which looks right but isn't, or an empty text.
  private static func contained(in text: String, _ language: MessageLanguage) -> StyledText {
    guard let character = text.misleadingCharacter else { return "" }
    return language == .korean ? " (문자 \(.value(character)) 때문)" : ", which contains \(.value(character))"
  }

  /// Returns the number probably meant: `19,99` has a comma for the decimal point, `1,234` and `1,234.50` have
  /// thousands separators.
  ///
  /// Nothing else is guessed.
  private static func suggestion(_ text: String) -> String? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return nil }
    if parts.count == 2, (1...2).contains(parts[1].count), !parts[1].contains(".") {
      let plain = parts.joined(separator: ".")
      return Amount(typed: plain) == nil ? nil : plain
    }
    let groups = parts.dropFirst().map { $0.prefix { $0 != "." } }
    let plain = parts.joined()
    return groups.allSatisfy { $0.count == 3 } && Amount(typed: plain) != nil ? plain : nil
  }

  /// Parses a stock: an integer from 0 to 10^12, or also a negative one if the server checks the limits.
  ///
  /// - Throws: `ParseError` for anything else.
  package static func stock(
    _ text: String, _ policy: LimitPolicy = .documented, at range: Range<Int>? = nil
  ) throws(ParseError) -> Int {
    let typed = text
    var text = text.withPlainDigits
    // `10개`
    if text.count > 1, text.nfcNormalized.hasSuffix("개") { text.removeLast() }
    let digits = policy == .server && text.hasPrefix("-") ? text.dropFirst() : text[...]
    let isPlain = digits == "0" || !digits.hasPrefix("0")
    if isPlain, let number = NumberLiteral.integer(String(digits)), stockRange.contains(number) {
      return digits.count < text.count ? -number : number
    }
    throw ParseError(
      LocalizedText(
        "Invalid value for \(.field(ProductField.stock)): \(quotedIfEmpty(typed))\(contained(in: typed, .english)).",
        ko:
          "\(.field(ProductField.stock)) 값으로 \(quotedIfEmpty(typed), .object) 쓸 수 없습니다\(contained(in: typed, .korean))."
      ),
      suggestion: (range == nil ? nil : relativeChange(text, of: .stock))
        ?? LocalizedText(
          "Use a whole number from 0 to 1000000000000.", ko: "재고에는 0부터 1000000000000까지의 정수를 쓰세요."),
      at: range)
  }

  /// Parses a currency code.
  ///
  /// A documented one may be in lowercase. `isDocumented` is true for such a code.
  ///
  /// - Throws: `ParseError` for anything else.
  package static func currency(_ text: String, at range: Range<Int>? = nil) throws(ParseError) -> Currency {
    let capital = Currency(text.uppercased())
    if capital.isDocumented { return capital }
    let isCode =
      (1...10).contains(text.utf8.count)
      && text.utf8.allSatisfy { (65...90).contains($0) || (97...122).contains($0) || (48...57).contains($0) }
    if isCode { return Currency(text) }
    throw ParseError(
      LocalizedText(
        "Invalid value for \(.field(ProductField.currency)): \(quotedIfEmpty(text)).",
        ko: "\(.field(ProductField.currency)) 값으로 \(quotedIfEmpty(text), .object) 쓸 수 없습니다."),
      suggestion: LocalizedText("Use a currency code: KRW, USD, JPY, HKD.", ko: "KRW, USD, JPY, HKD 같은 통화 코드입니다."),
      at: range)
  }

  /// Parses a name or description, and checks the documented length in characters (grapheme clusters).
  ///
  /// - Throws: `ParseError` for a text of invisible characters, and for one with a control character other than those
  ///   of lines and tabs; with the limits for one that is too short or too long.
  package static func text(
    _ text: String, of field: ProductField, _ policy: LimitPolicy, at range: Range<Int>? = nil
  ) throws(ParseError) -> String {
    if !text.isEmpty, text.isInvisible {
      throw ParseError(
        LocalizedText(
          "\(.field(field)) has only characters that cannot be seen.",
          ko: "\(field == .name ? "이름에" : "설명에") 보이는 글자가 없습니다."), at: range)
    }
    if let control = text.unicodeScalars.first(where: { isControl($0, in: field) }) {
      let name = control.codePoint
      throw ParseError(
        LocalizedText(
          "\(.field(field)) contains the control character \(name).",
          ko: "\(field == .name ? "이름에" : "설명에") 제어 문자 \(name, .subject) 있습니다."), at: range)
    }
    guard let limits = policy.limits else { return text }
    let bounds = field == .name ? limits.name : limits.description
    if bounds.contains(text.count) { return text }
    throw ParseError(
      LocalizedText(
        "\(.field(field)) has \(text.count) character\(text.count == 1 ? StyledText("") : "s"), but must have \(bounds.lowerBound) to \(bounds.upperBound).",
        ko:
          "\(field == .name ? "이름이" : "설명이") \(text.count)자입니다. \(bounds.lowerBound)자부터 \(bounds.upperBound)자까지 쓸 수 있습니다."
      ),
      suggestion: LocalizedText(
        "To leave the limits to the server, run \(.command("set limits server")).",
        ko: "한도를 서버에 맡기려면 \(.command("set limits server"), .object) 실행하세요."), at: range)
  }

  /// Returns whether a character controls a terminal or a line, such as those that files with other line ends or texts cut
  /// by a program contain. Line ends and tabs are allowed, which cells of spreadsheets have.
  private static func isControl(_ scalar: Unicode.Scalar, in field: ProductField) -> Bool {
    switch scalar {
    // A name of two lines comes from a cell of a spreadsheet.
    case "\t", "\n", "\r": false
    case "\u{2028}", "\u{2029}": field == .name
    default: scalar.properties.generalCategory == .control
    }
  }

  static func quotedIfEmpty(_ text: String) -> String { text.isEmpty ? "''" : text }
}

extension String {
  /// The text with ASCII digits, signs and separators in place of those that keyboards, spreadsheets and web pages write.
  ///
  /// Full-width characters and the minus sign U+2212 become ASCII. Blanks other than a space become commas between digits,
  /// where French and Swiss texts group thousands with them, and invisible characters are removed.
  package var withPlainDigits: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return self }
    let scalars = Array(unicodeScalars)
    func isDigit(_ index: Int) -> Bool {
      guard scalars.indices.contains(index) else { return false }
      return ("0"..."9").contains(scalars[index]) || ("\u{FF10}"..."\u{FF19}").contains(scalars[index])
    }
    var result = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      switch scalar {
      case "\u{FF10}"..."\u{FF19}", "\u{FF0B}"..."\u{FF0E}", "\u{FF05}":
        result.append(Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar)
      case "\u{2212}": result.append("-")
      case " ": result.append(scalar)
      case _ where scalar.properties.generalCategory == .spaceSeparator:
        if isDigit(index - 1), isDigit(index + 1) { result.append(",") }
      case _ where scalar.properties.generalCategory == .format: break
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// The first character of a number that may look like one of its own but isn't, with its name: `U+066B ARABIC DECIMAL
  /// SEPARATOR`.
  fileprivate var misleadingCharacter: String? {
    let scalar = unicodeScalars.first { scalar in
      // Full-width ASCII and the sign of the won are read.
      scalar.value >= 0x80 && !scalar.properties.isAlphabetic && scalar.value != 0x20A9
        && !(0xFF01...0xFF5E).contains(scalar.value)
    }
    return scalar.map { scalar in
      let name = scalar.properties.name ?? ""
      return scalar.codePoint + (name.isEmpty ? "" : " " + name)
    }
  }

  /// A Boolean value that indicates that nothing of the text can be seen: it has only blanks, control and format
  /// characters, fillers and blank symbols.
  package var isInvisible: Bool {
    unicodeScalars.allSatisfy { scalar in
      if scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint { return true }
      switch scalar.properties.generalCategory {
      case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: return true
      default: break
      }
      // BRAILLE PATTERN BLANK, KHITAN SMALL SCRIPT FILLER, MUSICAL SYMBOL NULL NOTEHEAD.
      return [0x2800, 0x16FE4, 0x1D159].contains(scalar.value)
    }
  }
}

extension Unicode.Scalar {
  /// The code point as it is written in texts: `U+0007`.
  fileprivate var codePoint: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}

/// The component that enforces the documented limits: this program before sending, or the server (`set limits
/// documented|server`).
package struct LimitPolicy: Hashable, Sendable {
  /// The limits that this program enforces, or `nil` if the server does.
  package let limits: DocumentedLimits?

  /// The limits of the four editions.
  package static let documented = LimitPolicy(limits: .openMarket)
  package static let server = LimitPolicy(limits: nil)

  /// The number of pictures of a new product.
  package var pictureCount: ClosedRange<Int> { limits?.pictures ?? 0...1000 }
}

extension LimitPolicy: RawRepresentable, CaseIterable {
  package static let allCases = [documented, server]

  package init?(rawValue: String) {
    guard let policy = LimitPolicy.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = policy
  }

  /// The word of the setting.
  package var rawValue: String { limits == nil ? "server" : "documented" }
}

/// A percentage of a price from 0 to 100, as typed: `10%`, `7.5 %`.
package struct Percentage: Hashable, Sendable {
  package let value: Amount

  package init?(_ text: String) {
    let text = text.trimmed
    guard text.hasSuffix("%"), let value = Amount(typed: String(text.dropLast()).trimmed.withPlainDigits), value >= 0,
      value <= 100
    else {
      return nil
    }
    self.value = value
  }

  /// Returns this percentage of a price, rounded to the smallest unit of the currency.
  package func of(_ price: Amount, in currency: Currency?) -> Amount {
    Amount(price.decimalValue * value.decimalValue / 100).rounded(to: currency?.minorUnitDigits ?? 2)
  }
}
