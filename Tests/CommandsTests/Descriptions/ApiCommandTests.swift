import CommandLanguage
import Commands
import Foundation
import ShellTesting
import TestSupport
import Testing

/// The command `api`, as it is typed.
@Suite(.timeLimit(Trial.limit)) struct ApiCommandTests {
  /// Runs `body` in a shell with the saved responses and documents in its folder.
  private static func with(environment: [String: String] = [:], _ body: (Sandbox) async throws -> Void) async throws {
    try await Sandbox.with(environment: environment) { sandbox in
      for name in ["dummyjson-page.json", "dummyjson-product.json", "oscar.json", "cents.json"] {
        try sandbox.writeFile(name, try Golden("derived/" + name).text())
      }
      try await body(sandbox)
    }
  }

  /// Files are offered where one is meant, and the requests elsewhere.
  @Test(arguments: [
    ("api ", "health list read create update delete endpoints all show check from as to replace bom"),
    ("api cr", "create"), ("api check ", "a.toml"), ("api from ", "a.toml"), ("api from a.toml a", "a.toml all as"),
    ("api x", ""),
  ])
  func completionOffersRequests(_ line: String, _ expected: String) {
    let sources = CompletionDataSource(files: { typed in ["a.toml"].filter { $0.hasPrefix(typed) } })
    let found = AllCommands.grammar.completions(line, cursor: line.unicodeScalars.count, sources: sources)
    #expect(found.candidates.map(\.text).joined(separator: " ") == expected)
  }

  /// A description is printed or saved, and what is saved passes `api check`.
  @Test func derivedDescriptionIsSavedAndChecked() async throws {
    try await ApiCommandTests.with { sandbox in
      let text = try Golden("derived/cents.toml").text()
      #expect(await sandbox.data("api from ~/cents.json").data == text)
      let lines = [
        "api from ~/cents.json to ~/shop.toml", "api check ~/shop.toml",
        "api from ~/dummyjson-page.json ~/dummyjson-product.json to ~/two.toml", "api check ~/two.toml",
        "api from ~/oscar.json to ~/oscar.toml",
      ]
      var said = ""
      for line in lines { said += "> \(line)\n" + (await sandbox.run(line)) }
      try Golden("api-from").check(said)
      #expect(try String(contentsOfFile: sandbox.folder + "/shop.toml", encoding: .utf8) == text)
    }
  }

  /// A text is written into a file as it is, also where the format of the session is one of data: a value in JSON is asked
  /// for by the line or by the name of the file.
  @Test(
    arguments: [
      ("to ~/shop.toml", "shop.toml", false), ("to ~/shop", "shop", false), ("to ~/shop.json", "shop.json", true),
      ("as json to ~/shop.toml", "shop.toml", true),
    ])
  func descriptionIsATextInAFile(_ ending: String, _ name: String, _ isJSON: Bool) async throws {
    try await ApiCommandTests.with { sandbox in
      _ = await sandbox.run("format json")
      _ = await sandbox.run("api from ~/cents.json \(ending)")
      let written = try String(contentsOfFile: sandbox.folder + "/" + name, encoding: .utf8)
      if isJSON {
        #expect(written.hasPrefix("\"# ") && written.hasSuffix("\"\n"), "\(written)")
      } else {
        #expect(try written == Golden("derived/cents.toml").text())
        #expect(await sandbox.run("api check ~/\(name)").contains("\n= ") == false)
      }
      // What is printed is in the format of the session.
      #expect(await sandbox.data("api from ~/cents.json").data.hasPrefix("\"# "))
    }
  }

  /// What can't be read is refused with its exit code, and nothing is printed.
  @Test(
    arguments: [
      ("api from ~/none.json", "Cannot read HOME/none.json.", 2),
      ("api from ~/shop.yaml", "Convert it with `yq -o json shop.yaml > openapi.json`.", 2),
      ("api from ~/cents.json ~/oscar.json", "cents.json is an OpenAPI document, and there are two files.", 2),
      ("api from ~/dummyjson-product.json", "The first file is a product.", 2),
      ("api from", "from needs a value.", 2), ("api ~/cents.json", "is not a task of `api`", 2),
      ("api check ~/shop.toml from ~/cents.json", "`api` does one task", 2),
      ("api check ~/shop.toml ~/cents.json", "is not a task of `api`", 2),
    ] as [(String, String, Int)])
  func unreadableFileIsRefused(_ line: String, _ expected: String, _ status: Int) async throws {
    try await ApiCommandTests.with { sandbox in
      try sandbox.writeFile("shop.yaml", "openapi: 3.0.0\npaths: {}\n")
      let said = await sandbox.run(line)
      #expect(said.contains(expected) && said.hasSuffix("= \(status)\n"), "\(said)")
      #expect(said.split(separator: "\n").allSatisfy { $0.hasPrefix("! ") || $0.hasPrefix("= ") }, "\(said)")
    }
  }

  /// A stored secret that a document contains doesn't get into a description.
  @Test func secretStaysOutOfADescription() async throws {
    try await ApiCommandTests.with(environment: ["OPENMARKET_SECRET": "s3cr3t-t0ken"]) { sandbox in
      let page =
        "{\"next\":\"/s3cr3t-t0ken/products?page=2\",\"rows\":[{\"id\":1,\"name\":\"A\"},{\"id\":2,\"name\":\"s3cr3t-t0ken\"}]}"
      try sandbox.writeFile("page.json", page)
      let said = await sandbox.run("api from ~/page.json to ~/shop.toml")
      #expect(said.contains("The description would contain a secret.") && said.hasSuffix("= 4\n"), "\(said)")
      #expect(!said.contains("s3cr3t") && !FileManager.default.fileExists(atPath: sandbox.folder + "/shop.toml"))
      // A value of a product is never copied.
      try sandbox.writeFile("page.json", page.replacing("/s3cr3t-t0ken/products", with: "/api/products"))
      let (text, all) = await sandbox.data("api from ~/page.json")
      #expect(text.contains("path = \"/api/products\"") && !all.contains("s3cr3t"), "\(all)")
    }
  }
}
