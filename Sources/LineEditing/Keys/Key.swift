import CEditLine
import Foundation
import Text

/// A key press or other event from the terminal.
enum Key: Equatable {
  case scalar(Unicode.Scalar)
  /// A complete escape sequence including its `ESC`.
  case sequence([UInt8])
  /// An `ESC` that nothing followed.
  case escape
  /// The text of a bracketed paste.
  case paste(Paste)
  /// A byte that is not part of UTF-8 text.
  case invalidUTF8

  struct Paste: Equatable {
    var text: String
    var isValidUTF8 = true
    var isTooLong = false
  }
}

/// The key set: emacs or vi.
package enum EditingStyle: String, Sendable, CaseIterable {
  case emacs, vi
}

/// The maximum length of a line from any source.
package enum LineLimit {
  /// The limit in bytes: 64 KiB of UTF-8, without the line end.
  package static let bytes = 65_536
}

/// The numeric count typed before a command (`3k`, Alt-3 Up).
///
/// libedit passes it only to its own functions.
struct NumericArgument {
  private static let most = 1_000
  /// The number of keys so far.
  private(set) var keys = 0
  /// The count of the current command.
  private(set) var count = 1
  /// Indicates whether a count was typed.
  private(set) var isGiven = false
  private var typed: Int?
  /// Indicates whether a count was begun and its command has not arrived yet.
  var isBegun: Bool { typed != nil }

  /// Handles a key.
  ///
  /// `isCommand` means that a plain digit is part of a count, as in vi's command mode.
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

/// Composes a character with the one before it if Unicode has a composed character for both.
///
/// Hangul that arrives decomposed (file names from macOS) becomes syllables: then one key press deletes one syllable,
/// and libedit, which cannot draw characters without width, can draw it.
enum Composer {
  static func joined(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    guard canFollow(second) else { return nil }
    if (0x1160...0x11FF).contains(second.value) { return Hangul.compose(first, second) }
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
