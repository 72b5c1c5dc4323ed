import Commands
import Foundation
import ShellRuntime
import TestSupport
import Testing
import Text
import WriteJournal

/// Every text of the program, read from its source: no sentence is without its Korean, and no Korean particle disagrees with
/// the word before it.
@Suite struct WordsTests {
  static let modules: [String] = MessagePair.all.keys.sorted()

  @Test(arguments: modules) func everySentenceIsInBothLanguages(module: String) throws {
    let missing = MessagePair.all[module, default: []].filter { pair in
      pair.english.contains(/[A-Za-z]{2,} [a-z]{2,}/) && !pair.korean.contains(/[가-힣]/)
        && MessagePair.fixed(pair.korean).contains(/[A-Za-z]{2,} [a-z]{2,}/)
    }
    #expect(missing.map(\.korean) == [])
  }

  /// English in a Korean text is a name, a command or what a server says, and has no words of a sentence.
  @Test(arguments: modules) func koreanTextHasNoEnglishSentence(module: String) throws {
    let english = /\b(the|an|is|are|was|were|be|of|this|that|it|its|not|has|have|must|cannot|will|your)\b/
    let wrong = MessagePair.all[module, default: []].map(\.korean).filter { korean in
      MessagePair.fixed(korean).contains(english)
    }
    #expect(wrong == [])
  }

  /// Korean in an English text is a name or a word of an example.
  @Test(arguments: modules) func englishTextHasNoKoreanSentence(module: String) throws {
    let sentence = /[가-힣]+ [가-힣]+/
    let wrong = MessagePair.all[module, default: []].map(\.english).filter {
      MessagePair.fixed($0).contains(sentence)
    }
    #expect(wrong == [])
  }

  /// The particle after a word that is known only at run time is chosen then (`\(name, .object)`); the particle after a word
  /// of the source is checked here.
  @Test(arguments: modules) func particlesAgreeWithTheirWords(module: String) throws {
    let wrong = MessagePair.all[module, default: []].flatMap { MessagePair.wrongParticles($0.korean) }
    #expect(wrong == [])
  }

  /// The parts of a message are said in one way: see the article "Writing Messages".
  @Test(arguments: modules) func sentencesFollowTheStyleGuide(module: String) throws {
    let texts = MessagePair.all[module, default: []].flatMap { [$0.english, $0.korean] }
    #expect(texts.flatMap { text in MessagePair.avoided.filter(text.contains).map { "\($0): \(text)" } } == [])
  }

  @Test func literalParticleIsDetected() {
    #expect(MessagePair.wrongParticles(#"\(.value(name))은 없습니다"#).count == 1)
    #expect(MessagePair.wrongParticles(#"\(.command("login"))로 바꿉니다"#).count == 1)
    #expect(MessagePair.wrongParticles(#"\(.command("login"))으로, \(name, .object) 바꿉니다"#).isEmpty)
    #expect(MessagePair.wrongParticles(#"본문 없이 \(status), .object) 반환했습니다"#).count == 1)
  }

  @Test func everyFormOfLiteralIsRead() {
    let source = #"""
      // "not this"
      let words = LocalizedText("a \(.command("b \(c)"))", ko: "가 \(.command("b"), .object)")
      let pair = isEnglish ? "one" : "하나"
      let long = LocalizedText(
        """
        first
        second
        """,
        ko: """
          첫째
          둘째
          """)
      let label = label("why: ", "이유: ")
      let example = Example("ls search 가방")
      let expression = text.contains(/"x" [a-z]/)
      """#
    let pairs = MessagePair.pairs(in: source)
    #expect(
      pairs.map(\.english) == [#"a \(.command("b \(c)"))"#, "one", "first\nsecond", "why: "])
    #expect(pairs.map(\.korean) == [#"가 \(.command("b"), .object)"#, "하나", "첫째\n둘째", "이유: "])
  }
}

/// An English text of the source and the Korean one after it.
private struct MessagePair: Sendable {
  let english: String
  let korean: String

  static let sources = (#filePath as NSString).deletingLastPathComponent + "/../../Sources"

  /// The texts of each module. The embedded market imitates the words of other servers, and the benchmarks print for
  /// developers.
  static let all: [String: [MessagePair]] = {
    let modules = (try? FileManager.default.contentsOfDirectory(atPath: sources)) ?? []
    var result: [String: [MessagePair]] = [:]
    for module in modules where module != "EmbeddedMarket" && module != "Benchmarks" {
      let files = (try? FileManager.default.subpathsOfDirectory(atPath: sources + "/" + module)) ?? []
      let pairs = files.filter { $0.hasSuffix(".swift") }.sorted().flatMap { file in
        Self.pairs(in: (try? String(contentsOfFile: sources + "/\(module)/\(file)", encoding: .utf8)) ?? "")
      }
      if !pairs.isEmpty { result[module] = pairs }
    }
    return result
  }()

  static func literals(of path: String) throws -> [SourceLiteral] {
    SourceLiteral.all(in: try String(contentsOfFile: sources + "/" + path, encoding: .utf8))
  }

  /// A literal after `ko:`, or one in Korean with nothing but a comma or a colon between it and an English one.
  static func pairs(in source: String) -> [MessagePair] {
    let literals = SourceLiteral.all(in: source)
    // A literal is compiled wherever it is evaluated.
    let (label, separator, hangul, letter) = (/\bko(rean)?:\s*$/, /^\s*[,:]\s*$/, /[가-힣]/, /[A-Za-z]/)
    return zip(literals, literals.dropFirst()).compactMap { english, korean in
      let isLabeled = korean.before.contains(label)
      let isBeside =
        korean.before.contains(separator) && korean.fixed.contains(hangul) && english.fixed.contains(letter)
        && !english.fixed.contains(hangul)
      return isLabeled || isBeside ? MessagePair(english: english.text, korean: korean.text) : nil
    }
  }

  /// Words that the style guide replaces by others.
  static let avoided = [
    "; nothing was sent.", "Nothing was sent:", "For example \\(", "It looks like", "takes it back",
    "out of the ordinary", "Held back", "아무것도 보내지 않았습니다:", "라 아무것도", "어 아무것도", "보기:", "거절", "본인", "이 셸", "당신",
  ]

  /// The fixed text of a literal.
  static func fixed(_ literal: String) -> String {
    SourceLiteral.parts(of: literal).map { part in
      if case .fixed(let text) = part { text } else { "" }
    }.joined()
  }

  /// The interpolations with a particle written after them that does not agree or cannot be known to, and particles outside
  /// of an interpolation.
  static func wrongParticles(_ literal: String) -> [String] {
    let parts = SourceLiteral.parts(of: literal)
    let outside = parts.compactMap { part -> String? in
      guard case .fixed(let text) = part, text.utf8.contains(UInt8(ascii: ".")),
        text.contains(/, \.(object|subject|topic|with|toward|copula)\)/)
      else { return nil }
      return text
    }
    return outside
      + zip(parts, parts.dropFirst()).compactMap { part, next -> String? in
        guard case .expression(let code) = part, case .fixed(let text) = next,
          let first = text.first, "으로은는이가을를과와".contains(first),
          let found = text.prefixMatch(of: /(으로|로|은|는|이|가|을|를|과|와)(?=[ ,.:;)]|$)/)
        else { return nil }
        let particle = String(found.1)
        guard let match = code.wholeMatch(of: /\.\w+\("((?:[^"\\]|\\[^(])*)"\)/) else {
          return "\\(\(code))\(particle)"
        }
        let word = String(match.1)
        // A sign alone is read aloud in many ways.
        guard word.contains(where: \.isLetter) || word.contains(where: \.isNumber) else { return nil }
        let agrees = kinds.contains { $0.form(word) == particle }
        return agrees ? nil : "\(word)\(particle)"
      }
  }

  private static let kinds: [KoreanParticle] = [.object, .subject, .topic, .with, .toward]
}
