import Foundation
import ServerTesting
import ShellTesting
import TestSupport
import Testing

/// Two lists of one server, each described by a file, are two markets with the same numbers.
@Suite(.timeLimit(Trial.limit)) struct DescribedResourceTests {
  /// Runs `body` in a shell with a profile for each list, `items` and `parts`, in which something was done with `items`.
  private static func with(_ body: (Sandbox, TinyServer) async throws -> Void) async throws {
    let items = KeepingMarket()
    let parts = KeepingMarket(list: "parts")
    let server = try await KeepingMarket.start([items, parts])
    try await DescribedServer.with(server, description: items.description) { sandbox in
      try sandbox.writeFile("items.toml", items.description)
      try sandbox.writeFile("parts.toml", parts.description)
      for name in ["items", "parts"] {
        let added = await sandbox.run("profile add \(name) url=\(server.url.absoluteString) api=~/\(name).toml")
        #expect(!added.contains("error"), "\(added)")
      }
      for line in [
        "profile items", "plan patch 4 price=9 to ~/p.plan", "export to ~/all.csv", "snapshot one", "pull ~/shelf",
        "patch 3 price=15 yes unproven", "new name='Busy bell' price=5 yes unproven",
      ] {
        let said = await sandbox.run(line)
        #expect(!said.contains("error:") || line.contains("Busy"), "\(line): \(said)")
      }
      _ = await sandbox.run("profile parts")
      try await body(sandbox, server)
    }
  }

  /// What was made, read or saved of one list has no effect in the other.
  @Test(
    arguments: [
      ("undo yes unproven", "Nothing to undo", 1), ("undo 1 yes unproven", "belongs to profile items", 4),
      ("resume yes", "pending on other servers: items (1)", 0), ("status", "pending on other servers: items (1)", 0),
      ("apply ~/p.plan yes unproven", "made for another address", 4),
      ("import ~/all.csv yes unproven", "exported from another address", 4),
      ("push ~/shelf yes unproven", "pulled from another address", 4), ("diff one", "no snapshot named", 1),
    ] as [(String, String, Int)])
  func nothingOfAnotherListIsUsed(_ line: String, _ expected: String, _ status: Int) async throws {
    try await DescribedResourceTests.with { sandbox, server in
      let count = server.requests.count
      let said = await sandbox.run(line)
      #expect(said.contains(expected), "\(said)")
      #expect(status == 0 ? !said.contains("\n= ") : said.hasSuffix("= \(status)\n"), "\(said)")
      #expect(server.requests.dropFirst(count).allSatisfy { $0.hasPrefix("GET ") })
    }
  }

  /// Back in the first list, everything of it is there: the same numbers did not mix the logs.
  @Test func everyListHasItsOwnLog() async throws {
    try await DescribedResourceTests.with { sandbox, server in
      let other = await sandbox.run("patch 3 price=77 yes outliers unproven")
      #expect(other.contains("Updated product 3."), "\(other)")
      _ = await sandbox.run("profile items")
      #expect(await sandbox.run("status").contains("Busy bell"))
      #expect(await sandbox.run("diff one").contains("15"))
      let undone = await sandbox.run("undo 1 yes unproven")
      #expect(undone.contains("price US$15.00 -> US$13.50"), "\(undone)")
      _ = await sandbox.run("profile parts")
      #expect(await sandbox.run("show 3 price").contains("77"))
      let changed = server.requests.filter { $0.hasPrefix("PATCH ") }.map { $0.split(separator: " ")[1] }
      #expect(changed == ["/api/items/3", "/api/parts/3", "/api/items/3"])
    }
  }

  /// A file that was edited elsewhere describes the same market, and so does one of another name.
  @Test func sameListIsTheSameMarket() async throws {
    try await DescribedResourceTests.with { sandbox, server in
      let text = KeepingMarket().description.replacing("name = \"shop\"", with: "name = \"store\"  # renamed")
      try sandbox.writeFile("renamed.toml", text)
      _ = await sandbox.run("profile add renamed url=\(server.url.absoluteString) api=~/renamed.toml")
      _ = await sandbox.run("profile renamed")
      let undone = await sandbox.run("undo 1 yes unproven")
      #expect(undone.contains("price US$15.00 -> US$13.50"), "\(undone)")
    }
  }
}
