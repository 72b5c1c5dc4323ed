import Foundation

extension Request {
  /// The request as a command line for a POSIX shell, to be run by someone who has the secrets in their environment:
  /// a secret is never in it, it is read from its variable (`"$OPENMARKET_SECRET"`).
  ///
  /// Files of a form are read by their names from the directory where the command is run.
  package func curl(to base: URL) -> String {
    let address = (try? self.address(at: base)) ?? (base.absoluteString + target)
    var words = ["curl"]
    if method != .get { words.append(method == .head ? "--head" : "-X \(method.rawValue)") }
    if path.contains(where: { $0 == "." || $0 == ".." }) { words.append("--path-as-is") }
    if address.contains(where: { "[]{}".contains($0) }) { words.append("--globoff") }
    words.append(shellWord(address))
    words += headers.map { "-H " + shellWord("\($0.name): \($0.value)") }
    words += bodyWords
    return words.joined(separator: " \\\n  ")
  }

  private var bodyWords: [String] {
    switch body {
    case .none: []
    case .data(let data, let type):
      ["-H " + shellWord("Content-Type: \(type)"), "--data-raw " + shellWord(String(decoding: data, as: UTF8.self))]
    case .multipart(let form): form.parts.map(formWord)
    }
  }

  private func formWord(_ part: Multipart.Part) -> String {
    let type = part.type.map { ";type=\($0)" } ?? ""
    if let name = part.fileName {
      return "-F " + shellWord("\(part.name)=@") + shellWord("\"\(name)\"", quotedForCurl: true) + shellWord(type)
    }
    let text = String(decoding: part.content, as: UTF8.self)
    if part.type == nil { return "--form-string " + shellWord("\(part.name)=\(text)") }
    // Without quotes of its own, curl would end the value at a semicolon and read a file at a leading `<` or `@`.
    return "-F " + shellWord("\(part.name)=") + shellWord("\"\(text)\"", quotedForCurl: true) + shellWord(type)
  }

  /// Text between single quotes, with the secrets as variables between double ones. With `quotedForCurl` the text stands
  /// between double quotes whose inside is escaped once more, for curl.
  private func shellWord(_ text: String, quotedForCurl: Bool = false) -> String {
    if text.isEmpty { return "" }
    let inner = quotedForCurl ? String(text.dropFirst().dropLast()) : text
    let pieces = Masker(secrets).pieces(of: inner).map { piece in
      switch piece {
      case .text(let text): Self.singleQuoted(quotedForCurl ? Self.escapedOnce(text) : text)
      case .secret(let variable, .raw): Self.expansion(of: variable, escapes: quotedForCurl ? 1 : 0, in: secrets)
      case .secret(let variable, .json): Self.expansion(of: variable, escapes: quotedForCurl ? 2 : 1, in: secrets)
      case .secret(_, .percent), .secret(_, .base64): Self.singleQuoted(Secret.mask)
      }
    }
    let word = pieces.joined()
    return quotedForCurl ? "'\"'" + word + "'\"'" : word
  }

  private static func singleQuoted(_ text: String) -> String {
    "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }

  private static func escapedOnce(_ text: String) -> String {
    text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
  }

  /// `"$NAME"`; through sed when the value has quotes or backslashes that its place asks to escape.
  private static func expansion(of variable: String, escapes: Int, in secrets: [NamedSecret]) -> String {
    let value = secrets.first { $0.variable == variable }?.secret.reveal() ?? ""
    guard escapes > 0, value.contains(where: { $0 == "\"" || $0 == "\\" }) else { return "\"$\(variable)\"" }
    let sed = String(repeating: #" | sed 's/["\\]/\\&/g'"#, count: escapes)
    return "\"$(printf %s \"$\(variable)\"\(sed))\""
  }
}
