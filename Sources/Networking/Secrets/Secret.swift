import Foundation

/// A value that must never be printed or stored: it has no description and no encoding, and is found and masked
/// wherever it was used.
package struct Secret: Hashable, Sendable {
  private let value: String

  /// Creates a secret, or returns `nil` for text with control characters, spaces or non-ASCII characters, which could
  /// break out of a header field.
  package init?(_ value: String) {
    guard !value.isEmpty, value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    self.value = value
  }

  /// Creates a secret from a password of one line and at most 1,000 bytes.
  ///
  /// It is sent in a body and never in a header field, so any other text is allowed.
  package init?(password value: String) {
    guard !value.isEmpty, value.utf8.count <= 1_000, !value.unicodeScalars.contains(where: Secret.isLineBreaking) else {
      return nil
    }
    self.value = value
  }

  private static func isLineBreaking(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// Returns the value, only for sending it.
  package func reveal() -> String { value }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { Secret.mask }
  package var debugDescription: String { Secret.mask }
  package var customMirror: Mirror { Mirror(self, children: []) }
  package static let mask = "•••"
}

extension JSON {
  /// Returns the value with secrets masked in its strings.
  ///
  /// A number is masked only if it equals a secret: a longer one contains a short password by chance.
  package func masked(by masker: SecretRedactor) -> JSON {
    switch self {
    case .null, .bool: self
    case .number(let number): masker.mask(number.literal) == Secret.mask ? .string(Secret.mask) : self
    case .string(let text): .string(masker.mask(text))
    case .invalidLiteral(let word): .invalidLiteral(masker.mask(word))
    case .array(let elements): .array(elements.map { $0.masked(by: masker) })
    case .object(let object):
      .object(object.keys.map { (masker.mask($0), (object[$0] ?? .null).masked(by: masker)) })
    }
  }
}

/// A secret and the environment variable that a curl line reads it from, such as `OPENMARKET_SECRET`.
package struct NamedSecret: Hashable, Sendable {
  package var environmentVariable: String
  package var secret: Secret
  package init(_ variable: String, _ secret: Secret) {
    self.environmentVariable = variable
    self.secret = secret
  }
}

/// Extracts the secret from a response that is one: the body itself, or of a URL the part after the request's own path.
package enum AnsweredSecret {
  /// Returns the secret, or `nil` if the response contains none.
  package static func extract(_ response: Response, to request: Request) -> NamedSecret? {
    guard let variable = request.responseSecretName else { return nil }
    let text = String(decoding: response.body, as: UTF8.self)
      .trimmingCharacters(in: CharacterSet(charactersIn: "\" \t\r\n"))
    var rest = text[...]
    for segment in request.path where rest.hasPrefix("/" + segment + "/") { rest = rest.dropFirst(segment.count + 1) }
    if rest.startIndex != text.startIndex { rest = rest.dropFirst() }
    return Secret(String(rest)).map { NamedSecret(variable, $0) }
  }
}
