import Text
import WriteJournal

/// A requirement of an edition with the expected and the actual result.
struct ContractCheckResult: Hashable, Sendable {
  var name: LocalizedText
  var expected: String
  var actual: String
  var passed: Bool

  /// The expected or actual value of a check in both languages; data has the English one.
  static func words(_ value: String) -> LocalizedText {
    let whole = PhraseTable.contract.korean(PhraseTable.evidence.korean(value))
    let korean =
      whole != value
      ? whole : value.split(separator: ", ").map { PhraseTable.contract.korean(String($0)) }.joined(separator: ", ")
    return LocalizedText("\(.foreign(value))", ko: "\(.foreign(korean))")
  }
}
