import Foundation
import TerminalTesting
import TestSupport
import Testing

/// A product with two pictures is created, shown, changed and deleted in the embedded market, from a script.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct ProductCommandsInScriptTests {
  @Test func createShowPatchRemoveInAScript() throws {
    let home = try TemporaryHome()
    let big = try home.file("big.png", noisePNG(width: 640, height: 640))
    let small = try home.file("small.png", noisePNG(width: 20, height: 10))
    let lines = [
      "new name='Stone lamp' description='It glows for eight hours.' price=25000 discount=500 currency=KRW stock=3 "
        + "images=\(big),\(small) yes as json",
      "show _ id name price discount sale stock as json",
      "show _ as json",
      "patch _ price=26000 stock=7 yes as json",
      "rm _ yes as json",
      "show 142",
    ]
    let result = try openmarket(["--home", home.path + "/home", "--lang", "en"], input: lines.joined(separator: "\n"))
    #expect(result.code == 1, "\(result.err)")
    let out = result.out.split(separator: "\n").map(String.init)
    try #require(out.count == 5, "\(result.out)\(result.err)")
    let made = try JSONDecoder().decode(Made.self, from: Data(out[0].utf8))
    #expect(made.images.count == 2)
    #expect(out[1].hasSuffix(#""name":"Stone lamp","price":25000,"discount":500,"sale":24500,"stock":3}"#))
    #expect(out[2] == out[0])
    #expect(out[3].contains(#""price":26000,"discount":500,"sale":25500,"currency":"KRW","stock":7"#))
    #expect(result.err.contains("big.png"), "the big picture's old and new size are said")
    #expect(
      result.err.hasSuffix(
        "error: Not found on the server.\n  reason: Status 404: Product 142 does not exist\n"
          + "note: standard input, line 6: `show 142`\n"), "\(result.err)")
  }

  private struct Made: Decodable {
    struct Image: Decodable { var url: String }
    var id: Int
    var images: [Image]
  }
}
