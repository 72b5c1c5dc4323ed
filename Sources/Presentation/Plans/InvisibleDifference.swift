import Text

/// The difference between two texts that look alike on most terminals: a skin tone, a joiner, a variation selector.
struct InvisibleDifference: CustomStringConvertible {
  private let gone: [Unicode.Scalar]
  private let new: [Unicode.Scalar]

  /// Finds the difference, or returns `nil` if the texts are equal or differ visibly.
  init?(_ before: String, _ after: String) {
    guard before != after, InvisibleDifference.seen(before) == InvisibleDifference.seen(after) else { return nil }
    let (old, now) = (InvisibleDifference.unseen(before), InvisibleDifference.unseen(after))
    let difference = now.difference(from: old)
    gone = difference.removals.map(InvisibleDifference.element)
    new = difference.insertions.map(InvisibleDifference.element)
  }

  var description: String { InvisibleDifference.spelled(gone) + " -> " + InvisibleDifference.spelled(new) }

  private static func element(_ change: CollectionDifference<Unicode.Scalar>.Change) -> Unicode.Scalar {
    switch change {
    case .insert(_, let scalar, _), .remove(_, let scalar, _): scalar
    }
  }

  private static func spelled(_ scalars: [Unicode.Scalar]) -> String {
    if scalars.isEmpty { return "-" }
    return scalars.map { "U+" + String($0.value, radix: 16, uppercase: true) }.joined(separator: " ")
  }

  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1F3FB...0x1F3FF, 0xFE00...0xFE0F, 0x200B...0x200D, 0x2060, 0xFEFF: true
    default: false
    }
  }

  private static func seen(_ text: String) -> [Unicode.Scalar] {
    text.nfcNormalized.unicodeScalars.filter { !isUnseen($0) }
  }
  private static func unseen(_ text: String) -> [Unicode.Scalar] { text.nfcNormalized.unicodeScalars.filter(isUnseen) }
}
