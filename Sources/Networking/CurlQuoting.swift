import Foundation

/// Quotes words for a POSIX shell, so that the line can be shown on any terminal and pasted from it.
///
/// Text is single-quoted, secrets are double-quoted variables, and invisible characters are written as octal escapes of
/// `printf`.
struct CurlQuoting {
  private let secrets: [NamedSecret]
  private let masker: SecretRedactor

  init(_ secrets: [NamedSecret]) {
    self.secrets = secrets
    masker = SecretRedactor(secrets, in: .request)
  }

  /// Returns the quoted text.
  ///
  /// With `inCurlQuotes` it is put between double quotes that curl reads, and escaped for curl in addition. In JSON, a
  /// placeholder is replaced by the secret as JSON writes it.
  func quote(_ text: String, inCurlQuotes: Bool = false, isJSON: Bool = false) -> String {
    if text.isEmpty, !inCurlQuotes { return "" }
    let pieces = masker.pieces(of: text).map { piece in
      switch piece {
      case .text(let text): CurlQuoting.singleQuoted(inCurlQuotes ? CurlQuoting.escapedOnce(text) : text)
      case .secret(let variable, .raw):
        expansion(of: variable, escapes: (inCurlQuotes ? 1 : 0) + (isJSON && isPlaceholder(variable) ? 1 : 0))
      case .secret(let variable, .json): expansion(of: variable, escapes: inCurlQuotes ? 2 : 1)
      case .secret(_, .percent), .secret(_, .base64), .secret(_, .hex), .secret(_, .escaped):
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
      } else if scalar == "\n" || isPrintable(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += "'\"$(printf '" + String(scalar).utf8.map(octal).joined() + "')\"'"
      }
    }
    return result + "'"
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
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

  private func isPlaceholder(_ variable: String) -> Bool {
    secrets.contains { $0.environmentVariable == variable && $0.isPlaceholder }
  }

  /// Returns `"$NAME"`, piped through sed if the value contains quotes or backslashes that must be escaped, or isn't
  /// known.
  private func expansion(of variable: String, escapes: Int) -> String {
    let value = secrets.first { $0.environmentVariable == variable }?.secret.reveal() ?? ""
    guard escapes > 0, isPlaceholder(variable) || value.contains(where: { $0 == "\"" || $0 == "\\" }) else {
      return "\"$\(variable)\""
    }
    let sed = String(repeating: #" | sed 's/["\\]/\\&/g'"#, count: escapes)
    return "\"$(printf %s \"$\(variable)\"\(sed))\""
  }
}

extension Request {
  /// The way the command will be run.
  package enum CurlStyle: Hashable, Sendable {
    case plain
    /// Inside `$(…)`: without progress output, and failing for a status of 400 and above.
    case commandSubstitution
  }

  /// Returns the request as a command line for a POSIX shell.
  ///
  /// Secrets are read from environment variables (`"$OPENMARKET_SECRET"`) and never appear in the text.
  ///
  /// Files of a form are read by their names from the directory where the command is run.
  package func curl(to base: URL, _ style: CurlStyle = .plain) -> String {
    curl(to: base, style) { _, name in name }
  }

  /// Returns the request as a command line that reads the files of a form from given paths.
  ///
  /// `store` returns the path where curl finds the bytes of a file.
  package func curl(
    to base: URL, _ style: CurlStyle = .plain, store: (_ bytes: Data, _ name: String) throws -> String
  ) rethrows -> String {
    let address = (try? self.url(at: base)) ?? (base.absoluteString + target)
    var words = [style == .commandSubstitution ? "curl -fsS" : "curl"]
    if method != .get { words.append(method == .head ? "--head" : "-X \(method.rawValue)") }
    if path.contains(where: { $0 == "." || $0 == ".." }) { words.append("--path-as-is") }
    if address.contains(where: { "[]{}".contains($0) }) { words.append("--globoff") }
    let quoting = CurlQuoting(secrets)
    words.append(quoting.quote(address))
    words += headers.map { "-H " + quoting.quote("\($0.name): \($0.value)") }
    words += try bodyWords(quoting, store)
    return words.joined(separator: " \\\n  ")
  }

  private func bodyWords(_ quoting: CurlQuoting, _ store: (Data, String) throws -> String) rethrows -> [String] {
    switch body {
    case .none: return []
    case .data(let data, let type):
      let header = "-H " + quoting.quote("Content-Type: \(type)")
      guard let text = String(validating: data, as: UTF8.self), !text.unicodeScalars.contains("\0") else {
        return [header, "--data-binary " + quoting.quote("@" + (try store(data, "body.bin")))]
      }
      let isJSON = type == "application/json"
      return [
        header,
        "--data-raw " + quoting.quote(isJSON ? JSON.escapingInvisibleScalars(text) : text, isJSON: isJSON),
      ]
    case .multipart(let form): return try form.parts.map { try formWord($0, quoting: quoting, path: store) }
    }
  }

  private func formWord(
    _ part: Multipart.Part, quoting: CurlQuoting, path store: (Data, String) throws -> String
  ) rethrows -> String {
    let type = part.type.map { ";type=\($0)" } ?? ""
    if let name = part.fileName {
      let path = try store(part.content, name)
      let isNamedSo = path == name || path.hasSuffix("/" + name)
      let rename = isNamedSo ? "" : quoting.quote(";filename=") + quoting.quote(name, inCurlQuotes: true)
      return "-F " + quoting.quote("\(part.name)=@") + quoting.quote(path, inCurlQuotes: true) + rename
        + quoting.quote(type)
    }
    let text = String(decoding: part.content, as: UTF8.self)
    if part.type == nil { return "--form-string " + quoting.quote("\(part.name)=\(text)") }
    // Unquoted, a value would end at a semicolon, and a leading `<` or `@` would make curl read a file.
    let value = quoting.quote(text, inCurlQuotes: true, isJSON: part.type == "application/json")
    return "-F " + quoting.quote("\(part.name)=") + value + quoting.quote(type)
  }
}
