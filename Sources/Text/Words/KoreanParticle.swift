/// A Korean particle whose form follows the last syllable of the word before it.
package enum KoreanParticle: Hashable, Sendable {
  /// 을/를
  case object
  /// 이/가
  case subject
  /// 은/는
  case topic
  /// 과/와
  case with
  /// 으로/로; 로 also after ㄹ
  case toward
  /// The stem of the copula in the style of 이에요/예요: 이 or nothing.
  case copula

  /// Returns the form that follows `word`.
  ///
  /// Digits and Latin letters count as they are read aloud in Korean.
  package func form(_ word: String) -> String {
    let ending = Ending(of: word)
    switch self {
    case .object: return ending == .vowel ? "를" : "을"
    case .subject: return ending == .vowel ? "가" : "이"
    case .topic: return ending == .vowel ? "는" : "은"
    case .with: return ending == .vowel ? "와" : "과"
    case .toward: return ending == .consonant ? "으로" : "로"
    case .copula: return ending == .vowel ? "" : "이"
    }
  }

  private enum Ending {
    case vowel
    case rieul
    case consonant

    /// Finds the sound that the last letter or digit ends in; closing quotation marks and brackets are ignored.
    init(of word: String) {
      let letters = word.nfcNormalized.unicodeScalars
      let last = letters.last { $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "%" }
      // 퍼센트
      guard let last, last != "%" else {
        self = .vowel
        return
      }
      // 조 (10^12) is the only power of ten that ends in a vowel.
      if Ending.endsInTrillions(word) {
        self = .vowel
        return
      }
      if let final = Hangul.trailingConsonantIndex(of: last) {
        self = final == 0 ? .vowel : final == 8 ? .rieul : .consonant
        return
      }
      switch last {
      // The names of consonants, 기역 to 히읗, all end in a consonant, and those of vowels in a vowel.
      case "ㄹ": self = .rieul
      case "ㄱ"..."ㅎ": self = .consonant
      case "ㅏ"..."ㅣ": self = .vowel
      case "1", "7", "8": self = .rieul
      case "0", "3", "6": self = .consonant
      case "2", "4", "5", "9": self = .vowel
      default: self = Ending.soundOfLatinWord(letters)
      }
    }

    /// Returns the final sound of a Latin word as it is read in Korean: `server` 서버, `apple` 애플, `stock` 스톡, `sort` 소트.
    ///
    /// Abbreviations are read letter by letter: `CSV` 씨에스브이, `XML` 엑스엠엘, `png` 피엔지.
    private static func soundOfLatinWord(_ letters: String.UnicodeScalarView) -> Ending {
      let word = letters.reversed().drop { !$0.properties.isAlphabetic }.prefix {
        $0.isASCII && $0.properties.isAlphabetic
      }
      let text = String(String.UnicodeScalarView(word.reversed()))
      // `FILE`, `LINE` and `NAME` in syntax lines are words although they are in capitals.
      let isWord = text.count > 3 && ["LE", "NE", "ME"].contains(where: text.hasSuffix)
      let hasVowel = text.lowercased().contains { "aeiouy".contains($0) }
      guard text.count > 1, hasVowel, isWord || text != text.uppercased() else {
        switch text.last?.lowercased() {
        case "l", "r": return .rieul
        case "m", "n": return .consonant
        default: return .vowel
        }
      }
      var low = text.lowercased()
      if consonantWords.contains(low) { return .consonant }
      // `app` 앱
      if low.count > 2, low.suffix(2) == "pp" || low.suffix(2) == "tt" { low.removeLast() }
      if low.hasSuffix("l") || low.hasSuffix("le") { return .rieul }
      if ["m", "n", "ng", "me", "ne", "ck"].contains(where: low.hasSuffix) { return .consonant }
      let isShort = low.last.map { "bpkt".contains($0) } ?? false
      let followsVowel = low.dropLast().last.map { "aeiou".contains($0) } ?? false
      return isShort && followsVowel ? .consonant : .vowel
    }

    /// Words whose last letter is read as a final consonant against the rule: 백, 맥, 타입.
    private static let consonantWords: Set = ["bag", "mac", "type"]

    private static func endsInTrillions(_ word: String) -> Bool {
      let digits = word.filter { $0 != "," }
      guard digits.allSatisfy({ ("0"..."9").contains($0) }) else { return false }
      return (12...15).contains(digits.reversed().prefix { $0 == "0" }.count)
    }
  }
}
