import ArgumentParser
import Pacing
import Testing

@testable import openmarket

/// The quick reading of the command line and the library's are one.
@Suite(.timeLimit(Trial.limit)) struct LaunchTests {
  static let understood: [[String]] = [
    [], ["--home", "/tmp/h"], ["-c", "ls", "-f", "a.market", "-c", "quit"], ["--yes", "--read-only", "--keep-going"],
    ["--no-color", "--ascii", "--lang", "ko", "--profile", "work"], ["--format", "json", "--api", "camp2"],
    ["--url", "http://127.0.0.1:1", "--home", "a", "--home", "b"], ["-f", "a", "-c", "ls page 2 size 10 as json"],
  ]

  @Test(arguments: understood)
  func bothReadTheSame(_ words: [String]) throws {
    let quick = try #require(LaunchOptions(plain: words))
    let parsed = try #require(try OpenMarket.parseAsRoot(words) as? OpenMarket)
    #expect(try parsed.launch(words) == quick)
  }

  @Test(arguments: [
    ["--help"], ["--version"], ["serve"], ["--api", "camp3"], ["--format", "xml"], ["--home"], ["-c"],
    ["--home", "--yes"], ["-f", "-"], ["--home=x"], ["-cls"], ["stray"],
  ])
  func theRestIsLeftToTheLibrary(_ words: [String]) { #expect(LaunchOptions(plain: words) == nil) }
}
