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
    ["--home=x", "--lang=ko", "--format=json", "--url=http://127.0.0.1:1/?a=b"],
  ]

  @Test(arguments: understood)
  func bothReadTheSame(_ words: [String]) throws {
    let quick = try #require(LaunchOptions(plain: words))
    let parsed = try #require(try OpenMarket.parseAsRoot(words) as? OpenMarket)
    #expect(try parsed.launch(words) == quick)
  }

  /// Each word of the system's shell stays one word of the line.
  @Test(arguments: [
    (["ls", "where", "stock=0"], "ls where stock=0"), (["--home", "h", "--yes", "rm", "3"], "rm 3"),
    (["--format=json", "help", "ls"], "help ls"), (["ls | head -3; next"], "ls | head -3; next"),
    (["ls", "where", "stock=0 and price>1"], "ls where stock=0 and price>1"),
    (["patch", "42", "name=새 이름", "price-=10%"], "patch 42 name='새 이름' price-=10%"),
    (["search", "a;b", "it's"], "search 'a;b' \"it's\""), (["echo", "$count", "|"], "echo '$count' '|'"),
    (["ls", "--page", "2", "--as=json"], "ls --page 2 --as=json"), (["new", "name="], "new name="),
    (["patch", "42", "description=@my note.txt"], "patch 42 description=@'my note.txt'"),
  ])
  func wordsOfTheSystemsShellAreALine(_ words: [String], _ line: String) {
    #expect(LaunchOptions(plain: words)?.sources == [.line(line)])
  }

  @Test(arguments: [
    ["--help"], ["--version"], ["serve"], ["--api", "camp3"], ["--format", "xml"], ["--home"], ["-c"],
    ["--home", "--yes"], ["-f", "-"], ["--home="], ["--yes=x"], ["-cls"], ["help"],
  ])
  func theRestIsLeftToTheLibrary(_ words: [String]) { #expect(LaunchOptions(plain: words) == nil) }
}
