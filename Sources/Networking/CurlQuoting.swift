import Foundation

/// Words for a POSIX shell: text between single quotes, secrets as variables between double ones, what cannot be seen
/// spelled out by `printf`, so that the line can be shown on any terminal and pasted from it.
struct CurlQuoting {
  private let secrets: [NamedSecret]
  private let masker: Masker

  init(_ secrets: [NamedSecret]) {
    self.secrets = secrets
    masker = Masker(secrets)
  }

  /// With `inCurlQuotes` the text stands between double quotes whose inside is escaped once more, for curl.
  func word(_ text: String, inCurlQuotes: Bool = false) -> String {
    if text.isEmpty, !inCurlQuotes { return "" }
    let pieces = masker.pieces(of: text).map { piece in
      switch piece {
      case .text(let text): CurlQuoting.singleQuoted(inCurlQuotes ? CurlQuoting.escapedOnce(text) : text)
      case .secret(let variable, .raw): expansion(of: variable, escapes: inCurlQuotes ? 1 : 0)
      case .secret(let variable, .json): expansion(of: variable, escapes: inCurlQuotes ? 2 : 1)
      case .secret(_, .percent), .secret(_, .base64), .secret(_, .hex), .secret(_, .nested):
        CurlQuoting.singleQuoted(Secret.mask)
      }
    }
    let word = pieces.joined()
    return inCurlQuotes ? "'\"'" + word + "'\"'" : word
  }

  private static func singleQuoted(_ text: String) -> String {
    var result = "'"
    for scalar in text.unicodeScalars {
      if scalar == "'" {
        result += "'\\''"
      } else if scalar == "\n" || isSeen(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += "'\"$(printf '" + String(scalar).utf8.map(octal).joined() + "')\"'"
      }
    }
    return result + "'"
  }

  private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }

  private static func octal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 8)
    return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
  }

  private static func escapedOnce(_ text: String) -> String {
    text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
  }

  /// `"$NAME"`; through sed when the value has quotes or backslashes that its place asks to escape.
  private func expansion(of variable: String, escapes: Int) -> String {
    let value = secrets.first { $0.variable == variable }?.secret.reveal() ?? ""
    guard escapes > 0, value.contains(where: { $0 == "\"" || $0 == "\\" }) else { return "\"$\(variable)\"" }
    let sed = String(repeating: #" | sed 's/["\\]/\\&/g'"#, count: escapes)
    return "\"$(printf %s \"$\(variable)\"\(sed))\""
  }
}
