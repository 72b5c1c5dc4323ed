import Foundation

extension Request {
  /// How the command is meant to be run.
  package enum CurlManner: Hashable, Sendable {
    case plain
    /// Inside `$(…)`: no progress, and nothing but success is taken.
    case captured
  }

  /// The request as a command line for a POSIX shell, to be run by someone who has the secrets in their environment:
  /// a secret is never in it, it is read from its variable (`"$OPENMARKET_SECRET"`).
  ///
  /// Files of a form are read by their names from the directory where the command is run.
  package func curl(to base: URL, _ manner: CurlManner = .plain) -> String {
    curl(to: base, manner) { _, name in name }
  }

  /// The same with files that lie elsewhere.
  ///
  /// - Parameter place: the path where curl finds these bytes of that file name.
  package func curl(
    to base: URL, _ manner: CurlManner = .plain, place: (_ bytes: Data, _ name: String) throws -> String
  ) rethrows -> String {
    let address = (try? self.address(at: base)) ?? (base.absoluteString + target)
    var words = [manner == .captured ? "curl -fsS" : "curl"]
    if method != .get { words.append(method == .head ? "--head" : "-X \(method.rawValue)") }
    if path.contains(where: { $0 == "." || $0 == ".." }) { words.append("--path-as-is") }
    if address.contains(where: { "[]{}".contains($0) }) { words.append("--globoff") }
    let quoting = CurlQuoting(secrets)
    words.append(quoting.word(address))
    words += headers.map { "-H " + quoting.word("\($0.name): \($0.value)") }
    words += try bodyWords(quoting, place)
    return words.joined(separator: " \\\n  ")
  }

  private func bodyWords(_ quoting: CurlQuoting, _ place: (Data, String) throws -> String) rethrows -> [String] {
    switch body {
    case .none: return []
    case .data(let data, let type):
      let header = "-H " + quoting.word("Content-Type: \(type)")
      guard let text = String(validating: data, as: UTF8.self), !text.unicodeScalars.contains("\0") else {
        return [header, "--data-binary " + quoting.word("@" + (try place(data, "body.bin")))]
      }
      return [header, "--data-raw " + quoting.word(type == "application/json" ? JSON.unseenEscaped(text) : text)]
    case .multipart(let form): return try form.parts.map { try formWord($0, quoting, place) }
    }
  }

  private func formWord(
    _ part: Multipart.Part, _ quoting: CurlQuoting, _ place: (Data, String) throws -> String
  ) rethrows -> String {
    let type = part.type.map { ";type=\($0)" } ?? ""
    if let name = part.fileName {
      let path = try place(part.content, name)
      let isNamedSo = path == name || path.hasSuffix("/" + name)
      let rename = isNamedSo ? "" : quoting.word(";filename=") + quoting.word(name, inCurlQuotes: true)
      return "-F " + quoting.word("\(part.name)=@") + quoting.word(path, inCurlQuotes: true) + rename
        + quoting.word(type)
    }
    let text = String(decoding: part.content, as: UTF8.self)
    if part.type == nil { return "--form-string " + quoting.word("\(part.name)=\(text)") }
    // Without quotes of its own, curl would end the value at a semicolon and read a file at a leading `<` or `@`.
    return "-F " + quoting.word("\(part.name)=") + quoting.word(text, inCurlQuotes: true) + quoting.word(type)
  }
}
