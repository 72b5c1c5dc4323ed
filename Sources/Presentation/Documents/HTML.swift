/// HTML markup. Interpolated text is escaped for the content of an element or an attribute.
package struct HTML: ExpressibleByStringInterpolation, Sendable {
  package let text: String

  package init(markup text: String) { self.text = text }
  package init(stringLiteral text: String) { self.text = text }
  package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// The markup and the escaped texts of a literal.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ markup: String) { text += markup }
    package mutating func appendInterpolation(_ markup: HTML) { text += markup.text }
    package mutating func appendInterpolation(_ number: Int) { text += String(number) }
    package mutating func appendInterpolation(_ content: String) {
      for scalar in content.unicodeScalars {
        switch scalar {
        case "&": text += "&amp;"
        case "<": text += "&lt;"
        case ">": text += "&gt;"
        case "\"": text += "&quot;"
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
  }
}

extension [HTML] {
  package func joined(separator: String = "") -> HTML { HTML(markup: map(\.text).joined(separator: separator)) }
}
