import Foundation
import Synchronization

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

/// Registry of all secrets used since the program began, so that later output masks earlier secrets too.
///
/// One per process.
package final class SecretRegistry: Sendable {
  private struct Known {
    var secrets: [NamedSecret] = []
    /// Long values that a server rejected.
    var rejected: [NamedSecret] = []
    var masker = SecretRedactor([])
    /// The secrets that no stored line may contain, including those of other profiles.
    var typed: Set<Secret> = []
    var typedMasker = SecretRedactor([])
  }

  /// The minimum length in bytes of secrets that are searched within words.
  ///
  /// A shorter one occurs in words by chance and matches only as a complete word.
  private static let shortestInWords = 4

  private let known = Mutex(Known())

  package init() {}

  /// Adds secrets to mask from now on.
  package func add(_ secrets: [NamedSecret]) {
    known.withLock { known in
      let before = known.secrets.count
      for secret in secrets where !known.secrets.contains(secret) { known.secrets.append(secret) }
      if known.secrets.count > before { known.masker = SecretRedactor(known.secrets + known.rejected) }
    }
    add(typed: secrets.map(\.secret))
  }

  /// Adds secrets that no stored line may contain from now on.
  ///
  /// Other texts are not masked.
  package func add(typed secrets: [Secret]) {
    known.withLock { known in
      guard !known.typed.isSuperset(of: secrets) else { return }
      known.typed.formUnion(secrets)
      known.typedMasker = SecretRegistry.masker(known.typed)
    }
  }

  private static func masker(_ secrets: Set<Secret>) -> SecretRedactor {
    SecretRedactor(
      secrets.filter { $0.reveal().utf8.count >= shortestInWords }.map { NamedSecret("", $0) }, in: .anywhere)
  }

  /// Removes secrets that a server rejected: they were mistyped, and requests that happen to contain them are exact.
  ///
  /// A long one, which may resemble a real secret, stays masked in what `mask` returns.
  package func remove(_ rejected: [NamedSecret]) {
    known.withLock { known in
      let removed = known.secrets.filter(rejected.contains)
      guard !removed.isEmpty else { return }
      known.secrets.removeAll(where: rejected.contains)
      known.rejected += removed.filter { $0.secret.reveal().utf8.count >= SecretContext.longEnough }
      known.masker = SecretRedactor(known.secrets + known.rejected)
    }
  }

  /// Returns true if the text contains one of them, as is or encoded.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - others: Secrets that don't count.
  package func stand(in text: String, besides others: Set<Secret> = []) -> Bool {
    var (typed, masker) = known.withLock { ($0.typed, $0.typedMasker) }
    if !typed.isDisjoint(with: others) {
      typed.subtract(others)
      masker = SecretRegistry.masker(typed)
    }
    if masker.mask(text) != text { return true }
    return typed.contains { secret in
      let value = secret.reveal()
      guard value.utf8.count < SecretRegistry.shortestInWords else { return false }
      return text.ranges(of: value).contains { range in
        let neighbours = [text[..<range.lowerBound].last, text[range.upperBound...].first]
        return !neighbours.contains { $0?.isLetter == true || $0?.isNumber == true }
      }
    }
  }

  package var all: [NamedSecret] { known.withLock { $0.secrets } }

  /// Returns the text with `•••` in place of each of them.
  package func mask(_ text: String) -> String {
    let masker = known.withLock { $0.masker }
    return masker.mask(text)
  }
}
