import CEditLine
import Foundation
import Text

/// One thing that came from the keyboard.
enum Key: Equatable {
  case scalar(Unicode.Scalar)
  /// A whole escape sequence, its `ESC` included.
  case sequence([UInt8])
  /// `ESC` that nothing followed.
  case escape
  /// What stood between the brackets of a bracketed paste.
  case paste(Paste)
  /// A byte that is not part of any UTF-8 text.
  case notText

  struct Paste: Equatable {
    var text: String
    var isText = true
    var isTooLong = false
  }
}

/// Whose keys the fingers know.
package enum Keys: String, Sendable, CaseIterable {
  case emacs, vi
}

/// How long a line may get, wherever it comes from.
package enum LineLimit {
  /// 64 KiB of UTF-8, the line end not counted.
  package static let bytes = 65_536
}

/// The count a person gave before a command (`3k`, Alt-3 Up), which libedit keeps from functions that are not its own.
struct KeyCounter {
  private static let most = 1_000
  /// How many keys there were.
  private(set) var keys = 0
  /// The count of the key that is carried out.
  private(set) var count = 1
  /// Whether one was given.
  private(set) var isGiven = false
  private var typed: Int?
  /// Whether a count has begun, and its command has not come yet.
  var isBegun: Bool { typed != nil }

  /// A key begins.
  /// - Parameter isCommand: whether a digit alone is part of a count, as in vi's command mode.
  mutating func begin(_ item: InputQueue.Item, isCommand: Bool) {
    keys += 1
    if let digit = digit(of: item, isCommand: isCommand) {
      typed = min(Self.most, (typed ?? 0) * 10 + digit)
    } else {
      (count, isGiven, typed) = (typed ?? 1, typed != nil, nil)
    }
  }

  private func digit(of item: InputQueue.Item, isCommand: Bool) -> Int? {
    guard case .key(let characters) = item, let last = characters.last, (0x30...0x39).contains(last) else { return nil }
    let digit = Int(last) - 0x30
    switch characters.count {
    case 1: return typed != nil || (isCommand && digit > 0) ? digit : nil
    case 2: return characters[0] == 0x1B ? digit : nil
    default: return nil
    }
  }
}

/// Joins a character with the one before it where Unicode has one character for both.
///
/// Hangul that arrives in its parts (file names from macOS) becomes syllables: one key press then deletes one
/// syllable, and libedit, which cannot draw characters without a width of their own, draws it.
enum Composer {
  static func joined(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    guard canFollow(second) else { return nil }
    if (0x1160...0x11FF).contains(second.value) { return Hangul.joined(first, second) }
    let pair = String(String.UnicodeScalarView([first, second])).precomposedStringWithCanonicalMapping.unicodeScalars
    return pair.count == 1 ? pair.first : nil
  }

  static func joined(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: canFollow) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let last = scalars.last, let joined = joined(last, scalar) {
        scalars.removeLast()
        scalars.append(joined)
      } else {
        scalars.append(scalar)
      }
    }
    return String(scalars)
  }

  private static func canFollow(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x300 { return false }
    return (0x1160...0x11FF).contains(scalar.value) || scalar.properties.canonicalCombiningClass != .notReordered
  }
}
