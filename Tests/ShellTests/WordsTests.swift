import Foundation
import Pacing
import Testing
import Text

/// The messages in the source of each module: every sentence in both languages, in a file for review.
///
/// No sentence lacks its Korean, and every Korean particle agrees with the word before it.
@Suite struct WordsTests {
  static let rooms = [
    "Commands", "Engine", "Exploration", "Failures", "Interchange", "Language", "Marketplace", "Platform",
    "Presentation", "Shell", "Weather", "openmarket",
  ]

  @Test(arguments: rooms) func inARow(room: String) throws {
    let rows = try Spoken.pairs(of: room).map { "\($0.english)\n  \($0.korean)\n" }
    try Golden("words/\(room)").check(rows.joined())
  }

  @Test(arguments: rooms) func everySentenceHasItsKorean(room: String) throws {
    let missing = try Spoken.pairs(of: room).filter { pair in
      pair.english.contains(/[A-Za-z]{2,} [a-z]{2,}/) && !pair.korean.contains(/[가-힣]/)
        && Spoken.fixed(pair.korean).contains(/[A-Za-z]{2,} [a-z]{2,}/)
    }
    #expect(missing.map(\.korean) == [])
  }

  /// After an interpolation the particle is chosen at run time (`\(name, .object)`); after a literal word it is checked
  /// here.
  @Test(arguments: rooms) func particlesFollowTheirWords(room: String) throws {
    let wrong = try Spoken.pairs(of: room).flatMap { Spoken.wrongParticles($0.korean) }
    #expect(wrong == [])
  }

  @Test func aParticleWrittenByHandIsFound() {
    #expect(Spoken.wrongParticles(#"\(.value(name))은 없습니다"#).count == 1)
    #expect(Spoken.wrongParticles(#"\(.command("login"))로 바꿉니다"#).count == 1)
    #expect(Spoken.wrongParticles(#"\(.command("login"))으로, \(name, .object) 바꿉니다"#).isEmpty)
  }
}

/// The messages in the source of a module.
private enum Spoken {
  struct Pair {
    let english: String
    let korean: String
  }

  static func pairs(of room: String) throws -> [Pair] {
    let folder = (#filePath as NSString).deletingLastPathComponent + "/../../Sources/" + room
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
    return try files.sorted().flatMap { file in
      pairs(in: Array(try String(contentsOfFile: folder + "/" + file, encoding: .utf8)))
    }
  }

  /// Returns each literal after `ko:` with the literal before it.
  private static func pairs(in text: [Character]) -> [Pair] {
    var result: [Pair] = []
    var last = ""
    var index = 0
    while index < text.count {
      if text[index...].starts(with: "//") {
        index = text[index...].firstIndex(of: "\n") ?? text.count
      } else if text[index] == "\"", let end = end(ofLiteral: text, from: index) {
        let literal = String(text[(index + 1)..<end])
        let before = String(text[max(0, index - 40)..<index])
        if before.contains(/ko(rean)?:\s*$/) {
          result.append(Pair(english: last, korean: literal))
        } else {
          last = literal
        }
        index = end + 1
      } else {
        index += 1
      }
    }
    return result
  }

  /// Returns the index of the closing quote, or `nil` if the line ends first.
  private static func end(ofLiteral text: [Character], from start: Int) -> Int? {
    var index = start + 1
    while index < text.count, text[index] != "\n" {
      if text[index] == "\"" { return index }
      if text[index] == "\\", index + 1 < text.count {
        if text[index + 1] == "(" {
          guard let close = end(ofInterpolation: text, from: index + 1) else { return nil }
          index = close + 1
        } else {
          index += 2
        }
      } else {
        index += 1
      }
    }
    return nil
  }

  private static func end(ofInterpolation text: [Character], from start: Int) -> Int? {
    var depth = 0
    var index = start
    while index < text.count, text[index] != "\n" {
      switch text[index] {
      case "(": depth += 1
      case ")":
        depth -= 1
        if depth == 0 { return index }
      case "\"":
        guard let end = end(ofLiteral: text, from: index) else { return nil }
        index = end
      default: break
      }
      index += 1
    }
    return nil
  }

  /// Returns the literal text without interpolations and input.
  static func fixed(_ literal: String) -> String {
    var rest = ""
    for part in parts(literal) where part.inside == nil { rest += part.text }
    return rest
  }

  private static func parts(_ literal: String) -> [(text: String, inside: String?)] {
    let text = Array(literal)
    var result: [(text: String, inside: String?)] = []
    var index = 0
    var plain = ""
    while index < text.count {
      if text[index...].starts(with: "\\("), let end = end(ofInterpolation: text, from: index + 1) {
        result.append((plain, nil))
        plain = ""
        result.append(("", String(text[(index + 2)..<end])))
        index = end + 1
      } else {
        plain.append(text[index])
        index += 1
      }
    }
    return result + [(plain, nil)]
  }

  /// Returns interpolations followed by a literal particle that doesn't agree, or can't be checked.
  static func wrongParticles(_ literal: String) -> [String] {
    let parts = parts(literal)
    return zip(parts, parts.dropFirst()).compactMap { part, next -> String? in
      guard let inside = part.inside,
        let found = next.text.prefixMatch(of: /(으로|로|은|는|이|가|을|를|과|와)(?=[ ,.:;)]|$)/)
      else { return nil }
      let particle = String(found.1)
      guard let match = inside.wholeMatch(of: /\.\w+\("((?:[^"\\]|\\[^(])*)"\)/) else {
        return "\\(\(inside))\(particle)"
      }
      let word = String(match.1)
      // The pronunciation of a punctuation mark is unknown.
      guard word.contains(where: \.isLetter) || word.contains(where: \.isNumber) else { return nil }
      let agrees = kinds.contains { $0.after(word) == particle }
      return agrees ? nil : "\(word)\(particle)"
    }
  }

  private static let kinds: [Particle] = [.object, .subject, .topic, .with, .toward]
}
