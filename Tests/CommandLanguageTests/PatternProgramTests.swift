import Catalog
import TestSupport
import Testing
import Text

@testable import CommandLanguage

/// Regular expressions match what Swift's `Regex` matches, in a bounded number of steps.
@Suite(.timeLimit(Trial.limit)) struct PatternProgramTests {
  /// The first match and its groups, or every match, as text.
  private static func own(_ pattern: String, _ text: String, ignoresCase: Bool) throws -> [[String?]] {
    let found = try PatternProgram(pattern, ignoresCase: ignoresCase).matches(in: text, most: .max)
    return found.all.map { groups in groups.map { $0.map { String(found.characters[$0]) } } }
  }

  private static func swift(_ pattern: String, _ text: String, ignoresCase: Bool) throws -> [[String?]] {
    text.matches(of: try Regex(pattern).ignoresCase(ignoresCase)).map { match in
      (0..<match.output.count).map { match.output[$0].substring.map(String.init) }
    }
  }

  /// Every kind of element, against Swift's own engine.
  @Test(arguments: [
    "a$", "^b", "a\\Z", "\\Aa", "a\\z", "(.)\\1", "(?>a+)b", "a++b", "(?i)a", "(?i:a)B", "[a-c]+", "(a|b)*?c", "(a*)*",
    "(a|b*)*c", "(?:(a)|b)*", "(a)|b", "\\bx", "\\Bx", "맥\\b", "북\\b", "(?x) a b # c", "(?s)a.b", "a.b", "(?m)^b$",
    "a{,2}b", "a{2", "x{", "(?n)(a)b", "(?U)a+", "(?U)a+?", "\\y", "\\Y", "\\R", "[[:alpha:]&&[^b]]", "[:alpha:]",
    "\\Qa.b\\E", "(?P<n>a)\\k<n>", "(?<n>a)(?P=n)", "\\g{1}(a)", "(a)\\g1", "a{0}", "(?#c)a", "(?:a(?=b))", "(?=(a))",
    "a(?!b)", "\\N{LATIN SMALL LETTER A}", "\\X", "e\\u{301}", "\\u{AC00}", "\\u{65 301}", "\\x41\\x{42}", "\\0",
    "\\p{Hangul}+", "\\P{L}", "\\d+", "\\D", "\\w+", "\\W", "\\s", "\\S+", "\\h", "\\v", "[가-힣]+", "[^가-힣]",
    "[\\d\\s]+", "[a\\]b]", "[\\Q[]\\E]", "(?:)", "()", "", "a|", "|a", "a{1,3}?", "a{1,3}+a", "a(?i)b|c", "(a)(?i)b|c",
    "(?:a(?i)b)c", "\\_", "\\.", "]", "}", "{", "\\/", "a{2,3}", "(ab){2}", "(a?){3}", "((a)|(b))+", "(a?)*?b",
    "(?:a|ab)(?:c|bcd)",
    "(?i)ß", "(?i)[A-C]", "👨‍👩‍👧", ".", "^$", "$", "(?m)^", "(?m)$", "a?b??c*?", "(?-i:a)", "a{ 1, 2 }", "(^|x)a", "\\Ga",
  ])
  func elementMatchesLikeSwift(_ pattern: String) throws {
    let texts = [
      "", "a", "b", "ab", "aab", "aaab", "abac", "aabbc", "hello", "Abc ABC", "ax x", "맥북 에어", "가나\n다", "a\nb\nc\n",
      "a\r\nb", "a{2 x{ } ] _ . /", "é", "e\u{301}a", "A B ١٢ 12", "👨‍👩‍👧👍🏽", "a.b", "a]b[", "STRASSE ẞ ß", "abcd abab",
      "\0\t\u{B}",
    ]
    for ignoresCase in [false, true] {
      for text in texts {
        let own = try PatternProgramTests.own(pattern, text, ignoresCase: ignoresCase)
        let swift = try PatternProgramTests.swift(pattern, text, ignoresCase: ignoresCase)
        // Of several iterations, the last of which is empty, a group keeps the one before it.
        guard pattern != "(a*)*", pattern != "(a|b*)*c" else {
          #expect(own.map(\.first) == swift.map(\.first), "\(pattern) in \(text.debugDescription), \(ignoresCase)")
          continue
        }
        #expect(own == swift, "\(pattern) in \(text.debugDescription), \(ignoresCase)")
      }
    }
  }

  /// Random patterns on random short texts, against Swift's own engine.
  @Test func randomPatternMatchesLikeSwift() throws {
    var random = SplitMix64(Trial.seed)
    func pattern(_ depth: Int) -> String {
      let simple = ["a", "b", "c", ".", "[ab]", "[^a]", "가", "\\w", "^", "$", "\\b"]
      let marks = ["", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,2}?"]
      guard depth > 0 else {
        let atom = simple.randomElement(using: &random) ?? "a"
        return ["^", "$", "\\b"].contains(atom) ? atom : atom + (marks.randomElement(using: &random) ?? "")
      }
      let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in pattern(depth - 1) }
      switch Int.random(in: 0..<6, using: &random) {
      case 0: return "(" + parts.joined(separator: "|") + ")" + (marks.randomElement(using: &random) ?? "")
      case 1: return "(?:" + parts.joined() + ")" + (marks.randomElement(using: &random) ?? "")
      case 2: return "(?=" + parts.joined() + ")" + pattern(0)
      case 3: return "(?!" + parts.joined() + ")" + pattern(0)
      case 4: return "(?>" + parts.joined() + ")"
      default: return parts.joined()
      }
    }
    for number in 0..<Trial.count(700, long: 200_000, variable: "OPENMARKET_FUZZ_ROUNDS") {
      let source = pattern(Int.random(in: 0...3, using: &random))
      let text = String(
        (0..<Int.random(in: 0...6, using: &random)).map { _ in "aabbc가 \n".randomElement(using: &random) ?? "a" })
      let own = try PatternProgramTests.own(source, text, ignoresCase: false)
      let swift = try PatternProgramTests.swift(source, text, ignoresCase: false)
      // Which of several empty iterations a group keeps is not compared.
      #expect(own.map(\.first) == swift.map(\.first), "\(number): \(source) in \(text.debugDescription)")
    }
  }

  /// Patterns in which `Regex` goes back without end: twice the text takes at most about twice the steps.
  @Test(arguments: [
    "(a+)+$", "^(a+)+$", "^(\\w+\\s?)+!$", "(a|aa)+$", "(a|a)*b", "(.*)*x", "(?:a?){30}a{30}b", "((a*)*)*b",
    "a*a*a*a*b",
  ])
  func stepsGrowWithTheText(_ source: String) throws {
    let program = try PatternProgram(source)
    let steps = try [200, 400].map { count in
      try program.matches(in: String(repeating: "a", count: count) + "?", most: 1).steps
    }
    #expect(steps[1] < steps[0] * 5 / 2, "\(steps)")
  }

  /// All matches together take no more steps than one search: what has failed once isn't tried again.
  @Test func stepsOfAllMatchesGrowWithTheText() throws {
    let program = try PatternProgram("a*b|a")
    let steps = try [200, 400].map { try program.matches(in: String(repeating: "a", count: $0), most: .max).steps }
    #expect(steps[1] < steps[0] * 5 / 2, "\(steps)")
  }

  /// A reference to a group can't be bounded by the length of the text; the search is given up.
  @Test func endlessSearchIsGivenUp() throws {
    let text = String(repeating: "a", count: 60)
    let program = try PatternProgram("^(a|aa)+\\1b")
    #expect(throws: PatternProgram.TooManySteps()) { try program.isContained(in: text) }
    let condition = try Condition.read("name~/^(a|aa)+\\1b/")
    let product = Sample.product
    #expect(try !condition.holds(for: product))
    var other = product
    other.name = text
    let error = #expect(throws: ParseError.self) { try condition.holds(for: other) }
    #expect(error?.message[.english].plain.contains("takes too long on a text of 60 characters.") == true)
  }

  @Test(arguments: [
    "((a{50}){50}){50}", "(?:(?:){1000}a){60000}", String(repeating: "a", count: 3_000),
    String(repeating: "(", count: 60) + String(repeating: ")", count: 60), String(repeating: "[", count: 100_000),
  ])
  func largePatternIsRefused(_ source: String) {
    #expect(throws: PatternFault.tooLarge) { try PatternProgram(source) }
  }

  @Test(arguments: ["(?<=a)b", "a\\K", "(?(1)a|b)", "[", "(a", "a)", "\\", "a**", "\\q", "a{3,2}", "(?w)x", "[]"])
  func otherPatternIsRefused(_ source: String) {
    #expect(throws: PatternFault.invalid) { try PatternProgram(source) }
  }
}
