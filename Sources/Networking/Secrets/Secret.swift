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
  private func masked(_ value: JSON, named name: String, _ masker: SecretRedactor) -> JSON {
    if case .number(let number) = value, SecretContext.isSecret(name: name) {
      return masker.replacing(in: number.literal, ofField: name) { _ in Secret.mask } == Secret.mask
        ? .string(Secret.mask) : value
    }
    guard case .string(let text) = value else { return value.masked(by: masker) }
    return .string(masker.replacing(in: text, ofField: name) { _ in Secret.mask })
  }

  /// Returns the value with secrets masked in its strings.
  ///
  /// A number is not masked unless its member is named like a secret: a price may equal a short password by chance.
  package func masked(by masker: SecretRedactor) -> JSON {
    switch self {
    case .null, .bool, .number: self
    case .string(let text): .string(masker.mask(text))
    case .invalidLiteral(let word): .invalidLiteral(masker.mask(word))
    case .array(let elements): .array(elements.map { $0.masked(by: masker) })
    case .object(let object):
      .object(object.keys.map { key in (masker.mask(key), masked(object[key] ?? .null, named: key, masker)) })
    }
  }
}

/// A secret and the environment variable that a curl line reads it from, such as `OPENMARKET_SECRET`.
package struct NamedSecret: Hashable, Sendable {
  package var environmentVariable: String
  package var secret: Secret
  /// Indicates that a stored text contains this in place of the secret, whose characters aren't known.
  package var isPlaceholder: Bool
  package init(_ variable: String, _ secret: Secret, isPlaceholder: Bool = false) {
    self.environmentVariable = variable
    self.secret = secret
    self.isPlaceholder = isPlaceholder
  }
}

/// Extracts the secret from a response that consists of a secret: the body itself, or in a URL the part after the path of
/// the request.
package enum ResponseSecret {
  /// Returns the secret, or `nil` if the response contains no secret.
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
