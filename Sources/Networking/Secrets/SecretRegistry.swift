import Foundation
import Synchronization

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
  /// A long rejected value, which may resemble a real secret, stays masked in what `mask` returns.
  package func remove(_ rejected: [NamedSecret]) {
    known.withLock { known in
      let removed = known.secrets.filter(rejected.contains)
      guard !removed.isEmpty else { return }
      known.secrets.removeAll(where: rejected.contains)
      known.rejected += removed.filter { $0.secret.reveal().utf8.count >= SecretContext.longEnough }
      known.masker = SecretRedactor(known.secrets + known.rejected)
    }
  }

  /// Returns true if the text contains a registered secret, as is or encoded.
  ///
  /// - Parameter others: Secrets that don't count.
  package func occur(in text: String, besides others: Set<Secret> = []) -> Bool {
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

  /// Returns the text with `•••` in place of each secret.
  package func mask(_ text: String) -> String {
    let masker = known.withLock { $0.masker }
    return masker.mask(text)
  }
}
