import Foundation
import TerminalTesting
import TestSupport
import Testing

/// Forty prices are lowered by ten percent in three ways at a terminal of 80 by 24, each with the same result.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct BulkPriceChangeTests {
  /// A way to make the forty changes, and the maximum number of keys before the question, including Enter.
  enum Way: String, CaseIterable, Sendable {
    case batch, edit, walk

    var line: String {
      switch self {
      case .batch: "patch mine price-=10% round 100"
      case .edit: "edit mine columns price"
      case .walk: "walk mine"
      }
    }

    var maximumKeys: Int {
      switch self {
      case .batch: 34
      // Keys in the editor aren't counted.
      case .edit: 25
      case .walk: 11 + 40 * 22
      }
    }
  }

  @Test(arguments: Way.allCases) func threeWaysToLowerPricesHaveTheSameResult(_ way: Way) throws {
    let home = try TemporaryHome()
    try openmarketWithForty(home)
    // A program replaces every price, as a user would in an editor.
    let editor = home.path + "/editor"
    try ExecutableFile.write(
      "#!/bin/sh\nawk -F' [|] ' -v OFS=' | ' '/^ *[0-9]/ { $2 = int(($2 * 9 + 500) / 1000) * 100 } 1' \"$1\" > \"$1.new\"\ncat \"$1.new\" > \"$1\"; rm \"$1.new\"\n",
      to: editor)
    let shell = try TerminalShell(
      ["--lang", "en"], home: home, environment: ["VISUAL": editor, "HOME": home.path, "PAGER": "cat"], columns: 80,
      rows: 24)
    var keys = 0
    func press(_ text: String) throws {
      keys += text.count
      try shell.type(text)
    }
    try press(way.line + "\r")
    if way == .walk {
      let ids = try prices(home).map { $0.prefix { $0 != "," } }
      for (place, id) in ids.enumerated() {
        try shell.wait(for: "\(place + 1)/40 \(id) ")
        try shell.program.wait("the question") { $0.screen.row.hasPrefix("\(id)>") && $0.readsKeys }
        try press("price-=10% round 100\r")
      }
    }
    try shell.wait(for: "Apply?")
    let screen = shell.program.screen.text
    #expect(screen.contains("and 27 more; a shows every one"), "\(screen)")
    // Only rows are omitted: the facts to approve are on the screen.
    for line in ["→ demo (rw) embedded vendor 15\n", "update 40 products\n", "  price KRW: total "] {
      #expect(screen.contains(line), "\(screen)")
    }
    #expect(keys <= way.maximumKeys, "\(keys) keys")
    try shell.say("y")
    #expect(try shell.leave() == 0)
    #expect(try prices(home) == Self.lowered)
    #expect(Self.lowered.count == 40)
  }

  /// The expected prices, calculated once by hand from the sample market.
  private static let lowered: [String] = {
    let own = [
      19000, 20700, 52000, 48000, 1_665_000, 151_000, 26400, 15700, 70200, 430_000, 1_078_000, 12000, 30800, 123_900,
      60800,
      1_225_500, 34000, 125_100, 1_639_000, 49000, 23100, 288_000, 74800,
    ]
    let old =
      (0..<17).reversed().map { ($0 + 142, 10_000 + 1_000 * $0) }
      + own.enumerated().map { (138 - 6 * $0.offset, $0.element) }
    // A half is rounded to the even hundred.
    return old.map { id, price in
      let (hundreds, rest) = (price * 9 / 1000, price * 9 % 1000)
      let up = rest > 500 || rest == 500 && !hundreds.isMultiple(of: 2)
      return "\(id),\((hundreds + (up ? 1 : 0)) * 100)"
    }
  }()

  /// Imports products so that the demo vendor's 23 become forty.
  private func openmarketWithForty(_ home: TemporaryHome) throws {
    _ = try home.file("p.png", noisePNG(width: 240, height: 240))
    let rows = (0..<17).map { "월요일 상품 \($0),가격을 바꿔 볼 상품입니다.,\(10_000 + 1_000 * $0),KRW,5,p.png" }
    let file = try home.file(
      "new.csv", "name,description,price,currency,stock,images\n" + rows.joined(separator: "\n") + "\n")
    let made = try openmarket(["--home", home.path + "/home", "-c", "import \(file) yes jobs 1"])
    try #require(made.code == 0, "\(made.err)")
  }

  private func prices(_ home: TemporaryHome) throws -> [String] {
    let listed = try openmarket(["--home", home.path + "/home", "-c", "ls where vendor=me columns id,price as csv"])
    return listed.out.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
  }
}
