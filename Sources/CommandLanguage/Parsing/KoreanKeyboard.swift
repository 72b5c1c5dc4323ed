import Text

/// The Korean two-set keyboard layout, for words typed while it was active: `ㅣㄴ` is `ls`, `노ㅐㅈ` is `show`.
enum KoreanKeyboard {
  private static let initials = letters("r R s e E f a q Q t T d w W c z x v g")
  private static let vowels = letters("k o i O j p u P h hk ho hl y n nj np nl b m ml l")
  /// The final consonants.
  ///
  /// The first entry means none.
  private static let finals =
    [""] + letters("r R rt s sw sg e f fr fa fq ft fx fv fg a q qt t T d w c z x v g")
  /// The characters from U+3131 on: consonants, then vowels.
  private static let single =
    letters("r R rt s sw sg e E f fr fa fq ft fx fv fg a q Q qt t T d w W c z x v g") + vowels

  private static func letters(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

  /// Returns the pressed keys, or `nil` for a word without Hangul or with a character that isn't on the keyboard.
  static func latinKeys(_ word: String) -> String? {
    var keys = ""
    var hasHangul = false
    for scalar in word.nfcNormalized.unicodeScalars {
      switch scalar.value {
      case 0xAC00...0xD7A3:
        let index = Int(scalar.value - 0xAC00)
        keys += initials[index / 588] + vowels[index % 588 / 28] + finals[index % 28]
        hasHangul = true
      case 0x3131...0x3163:
        keys += single[Int(scalar.value - 0x3131)]
        hasHangul = true
      case 0x21...0x7E: keys.unicodeScalars.append(scalar)
      default: return nil
      }
    }
    return hasHangul ? keys : nil
  }
}
