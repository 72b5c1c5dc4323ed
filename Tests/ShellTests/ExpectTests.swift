import Foundation
import Pacing
import Platform
import Testing

@testable import Shell

/// Output recorded by `expect` matches in the next run, whatever port the embedded market has.
@Suite(.timeLimit(Trial.limit)) struct ExpectTests {
  @Test func anotherStartIsTheSameMarket() async throws {
    var kept = ""
    for run in 1...2 {
      try await House.visit { house in
        let file = house.folder + "/cup.json"
        if run == 2 { try Data(kept.utf8).write(to: URL(filePath: file)) }
        #expect(await house.shell.run("show 5 as json; expect ~/cup.json") == .success)
        kept = try String(contentsOfFile: file, encoding: .utf8)
      }
    }
    #expect(kept.contains("\"thumbnail\":\"http://embedded/"))
    #expect(!kept.contains("127.0.0.1"))
  }
}
