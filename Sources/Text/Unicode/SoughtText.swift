import Foundation

/// A text that is looked for in many others whatever their case, folded once.
///
/// Texts are the same whose case folding in NFC is; one is in another where its characters stand there in a row.
package struct SoughtText: Hashable, Sendable {
  private let folded: String
  /// Its UTF-8 where the bytes of plain texts can be compared with it one by one.
  private let bytes: [UInt8]?

  package init(_ text: String) {
    folded = SoughtText.folded(text)
    let utf8 = Array(folded.utf8)
    bytes = utf8.withUnsafeBufferPointer(SoughtText.isPlain) ? utf8 : nil
  }

  /// Whether a text holds this one; nothing is in every text.
  package func isIn(_ text: String) -> Bool {
    if folded.isEmpty { return true }
    guard let bytes else { return SoughtText.folded(text).contains(folded) }
    let found = text.utf8.withContiguousStorageIfAvailable { utf8 in
      SoughtText.isPlain(utf8) ? SoughtText.find(bytes, in: utf8) : nil
    }
    return (found ?? nil) ?? SoughtText.folded(text).contains(folded)
  }

  /// Full case folding: capitals first, so that `ß` and `SS` meet.
  private static func folded(_ text: String) -> String { text.precomposed.uppercased().lowercased().precomposed }

  /// Letters that are characters by themselves and that folding leaves alone, but for the capitals of ASCII: ASCII without
  /// the carriage return, syllables of Hangul (U+AC00 to U+D7A3), ideographs (U+4E00 to U+9FFF).
  private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte < 0x80 {
        if byte == 0x0D { return false }
        index += 1
        continue
      }
      guard index + 2 < text.count else { return false }
      let second = text[index + 1]
      switch byte {
      case 0xE5...0xE9, 0xEB, 0xEC: break
      case 0xE4: if second < 0xB8 { return false }
      case 0xEA: if second < 0xB0 { return false }
      case 0xED: if second > 0x9E || (second == 0x9E && text[index + 2] > 0xA3) { return false }
      default: return false
      }
      index += 3
    }
    return true
  }

  /// Both are plain, so that no character's bytes stand inside another's.
  private static func find(_ wanted: [UInt8], in text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count >= wanted.count else { return false }
    return wanted.withUnsafeBufferPointer { wanted in
      var start = 0
      while start <= text.count - wanted.count {
        var met = 0
        while met < wanted.count, lowered(text[start + met]) == wanted[met] { met += 1 }
        if met == wanted.count { return true }
        start += 1
      }
      return false
    }
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
