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

  /// A part of a word.
  enum Part {
    case text(String)
    /// The value of a field of `-F`, or the path or the name of its file, which curl reads in double quotes where it
    /// would otherwise end at a delimiter, or be taken for a path.
    case formValue(String, isFile: Bool, isJSON: Bool)
  }

  /// A piece of a word of the shell.
  private enum Piece {
    case text(String)
    case expansion(String)
  }

  /// Returns the quoted text.
  ///
  /// In JSON, a placeholder is replaced by the secret as JSON writes it.
  func quote(_ text: String, isJSON: Bool = false) -> String { word(pieces(of: text, isJSON: isJSON)) }

  /// Returns the parts as one quoted word.
  func quote(_ parts: [Part]) -> String {
    word(
      parts.flatMap { part -> [Piece] in
        switch part {
        case .text(let text): return pieces(of: text)
        case .formValue(let text, let isFile, let isJSON):
          guard needsCurlQuotes(text, isFile: isFile) else { return pieces(of: text, isJSON: isJSON) }
          return [.text("\"")] + pieces(of: text, inCurlQuotes: true, isJSON: isJSON) + [.text("\"")]
        }
      })
  }

  private func pieces(of text: String, inCurlQuotes: Bool = false, isJSON: Bool = false) -> [Piece] {
    masker.pieces(of: text).map { piece in
      switch piece {
      case .text(let text): .text(inCurlQuotes ? CurlQuoting.escapedOnce(text) : text)
      case .secret(let variable, .raw):
        .expansion(
          expansion(of: variable, escapes: (inCurlQuotes ? 1 : 0) + (isJSON && isPlaceholder(variable) ? 1 : 0)))
      case .secret(let variable, .json): .expansion(expansion(of: variable, escapes: inCurlQuotes ? 2 : 1))
      case .secret(_, .percent), .secret(_, .base64), .secret(_, .hex), .secret(_, .escaped): .text(Secret.mask)
      }
    }
  }

  /// Returns the pieces as one word, with adjacent text in the same quotes.
  private func word(_ pieces: [Piece]) -> String {
    var (result, text) = ("", "")
    for piece in pieces {
      switch piece {
      case .text(let more): text += more
      case .expansion(let expansion):
        if !text.isEmpty { result += CurlQuoting.singleQuoted(text) }
        (result, text) = (result + expansion, "")
      }
    }
    return text.isEmpty ? result : result + CurlQuoting.singleQuoted(text)
  }

  /// Returns whether curl reads all of a value of `-F` only in double quotes.
  ///
  /// Without them a value ends at a semicolon, and a path at a comma; blanks at the ends are removed, and `"`, `<`, `@`
  /// and `(` at the beginning have a meaning. The characters of a placeholder's value aren't known.
  private func needsCurlQuotes(_ text: String, isFile: Bool) -> Bool {
    let scalars = text.unicodeScalars
    guard let first = scalars.first, let last = scalars.last else { return true }
    return secrets.contains(where: \.isPlaceholder) || scalars.contains { $0 == ";" || (isFile && $0 == ",") }
      || first.properties.isWhitespace || last.properties.isWhitespace || "\"<@(".unicodeScalars.contains(first)
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
    if let option = methodOption { words.append(option) }
    if path.contains(where: { $0 == "." || $0 == ".." }) { words.append("--path-as-is") }
    if address.contains(where: { "[]{}".contains($0) }) { words.append("--globoff") }
    let quoting = CurlQuoting(secrets)
    words.append(quoting.quote(address))
    words += headers.map { "-H " + quoting.quote("\($0.name): \($0.value)") }
    words += try bodyWords(quoting, store)
    return words.joined(separator: " \\\n  ")
  }

  /// The option for the method, or `nil` if curl uses this method without an option.
  ///
  /// curl sends a body with POST unless `-X` names another method, and rejects `--head` with a body.
  private var methodOption: String? {
    switch (method, body) {
    case (.get, .none): nil
    case (.head, .none): "--head"
    default: "-X \(method.rawValue)"
    }
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
    let type = CurlQuoting.Part.text(part.type.map { ";type=\($0)" } ?? "")
    if let name = part.fileName {
      let path = try store(part.content, name)
      let isNamedSo = path == name || path.hasSuffix("/" + name)
      let file = CurlQuoting.Part.formValue(path, isFile: true, isJSON: false)
      let rename = [CurlQuoting.Part.text(";filename="), .formValue(name, isFile: true, isJSON: false)]
      return "-F " + quoting.quote([.text("\(part.name)=@"), file] + (isNamedSo ? [] : rename) + [type])
    }
    let text = String(decoding: part.content, as: UTF8.self)
    if part.type == nil { return "--form-string " + quoting.quote("\(part.name)=\(text)") }
    let value = CurlQuoting.Part.formValue(text, isFile: false, isJSON: part.type == "application/json")
    return "-F " + quoting.quote([.text("\(part.name)="), value, type])
  }
}
