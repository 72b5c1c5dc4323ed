import Foundation
import TerminalTesting
import TestSupport
import Testing

/// Clients that were written from DummyJSON's documentation work with the API as `serve --api` serves it, and find after a
/// restart what they have written.
///
/// They are no evidence for the shell, which reads the same file as the server: see the article Markets.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct DummyJSONClientTests {
  private static var options: [String] { ["--port", "0", "--api", DescribedAPITests.examples + "/dummyjson.toml"] }

  @Test func swiftClientFindsItsProductAfterARestart() async throws {
    let home = try TemporaryHome()
    var market = try ServedProgram(Self.options, home)
    var client = DummyJSONClient(base: try #require(URL(string: market.url)))
    let page = try await client.page(limit: 3, skip: 2)
    #expect(page.products.map(\.id) == [3, 4, 5] && page.skip == 2 && page.limit == 3 && page.total > 100)
    #expect(try await client.product(3).title == page.products[0].title)
    let added = try await client.add(.init(title: "BMW Pencil", price: 3.5, category: "office"))
    #expect(added.title == "BMW Pencil" && added.price == 3.5 && added.category == "office" && added.id > page.total)
    for method in ["PUT", "PATCH"] {
      let updated = try await client.update(added.id, .init(title: "Galaxy " + method, tags: [method]), method: method)
      #expect(updated.title == "Galaxy " + method && updated.price == 3.5 && updated.tags == [method])
    }
    let found = try await client.search("galaxy")
    #expect(found.products.map(\.id) == [added.id] && found.total == 1 && found.limit == 1)
    _ = try market.end()

    market = try ServedProgram(Self.options, home)
    client = DummyJSONClient(base: try #require(URL(string: market.url)))
    let again = try await client.product(added.id)
    #expect(again.title == "Galaxy PATCH" && again.category == "office" && again.tags == ["PATCH"])
    // The address of its picture is that of the server now.
    let picture = try #require(again.images.first)
    #expect(picture.hasPrefix(market.url + "/"), "\(picture)")
    let deletion = try await client.delete(added.id)
    #expect(deletion.isDeleted && deletion.deletedOn.hasSuffix("Z"))
    let failure = await #expect(throws: DummyJSONClient.Failure.self) { try await client.product(added.id) }
    #expect(failure?.message == "Product with id '\(added.id)' not found")
    _ = try market.end()
  }

  @Test(.enabled(if: Trial.runs(with: "node"), "node is not installed"))
  func javaScriptClientFindsItsProductAfterARestart() throws {
    let home = try TemporaryHome()
    var market = try ServedProgram(Self.options, home)
    let first = try run(market.url)
    let id = try #require(first.firstMatch(of: #/\nid (\d+)\n$/#)).1
    #expect(
      first == """
        listed 2 of true 1 2 string
        added BMW Pencil 3.5 office number true
        updated true iPhone Galaxy +PUT 3.5
        updated true iPhone Galaxy +PATCH 3.5
        found 1 1 true
        id \(id)

        """)
    _ = try market.end()
    market = try ServedProgram(Self.options, home)
    #expect(
      try run(market.url, String(id)) == """
        read iPhone Galaxy +PATCH 3.5 office
        deleted true true iPhone Galaxy +PATCH
        missing 404 Product with id '\(id)' not found

        """)
    _ = try market.end()
  }

  private func run(_ arguments: String...) throws -> String {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "Golden/serve/dummyjson-client.mjs")
    let result = try PipedProgram(["node", script.path] + arguments, program: "/usr/bin/env").result()
    return result.out + result.err
  }
}
