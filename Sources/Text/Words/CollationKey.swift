/// The sort key of a name in the order that Korean users expect: `가위 2` before `가위 10`, 가 to 하 before a to z, and `㈜나무`
/// next to `나무`.
///
/// Numbers compare by value and come first, then Hangul, then Latin letters regardless of case, then all other letters.
/// Company markers (`㈜`, `(주)`, `주식회사`) are ignored. Fullwidth letters and digits count as their ASCII forms. Names
/// that are equal so far are ordered by their scalars, so that the order is total.
package struct CollationKey: Hashable, Comparable, Sendable {
  private let weights: [UInt32]
  private let exact: String

  package init(_ text: String) {
    exact = text.nfcNormalized
    weights = CollationKey.weights(of: exact.lowercased())
  }

  package static func < (left: CollationKey, right: CollationKey) -> Bool {
    left.weights == right.weights ? left.exact < right.exact : left.weights.lexicographicallyPrecedes(right.weights)
  }

  /// The class of a character; a lower class sorts first.
  private enum Kind: UInt32 {
    case space, punctuation, number, hangul, latin, otherLetter
  }

  private static let companyMarkers = ["㈜", "(주)", "주식회사"].map { Array($0.unicodeScalars) }

  private static func weights(of text: String) -> [UInt32] {
    let scalars = text.unicodeScalars.map(normalized)
    var weights: [UInt32] = []
    var index = 0
    while index < scalars.count {
      let rest = scalars[index...]
      if let company = companyMarkers.first(where: { rest.starts(with: $0) }) {
        index += company.count
        while index < scalars.count, scalars[index] == " " { index += 1 }
        // At the end of the name, the space before the marker is ignored too.
        if index == scalars.count, weights.last == weight(.space, " ") { weights.removeLast() }
        continue
      }
      let digits = rest.prefix { ("0"..."9").contains($0) }
      if digits.isEmpty {
        weights.append(weight(kind(scalars[index]), scalars[index]))
        index += 1
      } else {
        let value = digits.drop { $0 == "0" }
        weights.append(Kind.number.rawValue << 24 | UInt32(min(value.count, 0xFF_FFFF)))
        weights += value.map { Kind.number.rawValue << 24 | $0.value }
        index = digits.endIndex
      }
    }
    return weights
  }

  private static func weight(_ kind: Kind, _ scalar: Unicode.Scalar) -> UInt32 { kind.rawValue << 24 | scalar.value }

  /// Returns `A1` for fullwidth `Ａ１`, and the ASCII space for every white space.
  private static func normalized(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if (0xFF01...0xFF5E).contains(scalar.value) { return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar }
    return scalar.properties.isWhitespace ? " " : scalar
  }

  private static func kind(_ scalar: Unicode.Scalar) -> Kind {
    if scalar == " " { return .space }
    guard scalar.properties.isAlphabetic else { return .punctuation }
    switch scalar.value {
    case 0x1100...0x11FF, 0x3131...0x318E, 0xAC00...0xD7A3: return .hangul
    case ..<0x0250: return .latin
    default: return .otherLetter
    }
  }
}
