import Catalog
import Foundation
import ShellTesting
import TestSupport
import Testing

/// A folder of products that somebody else made: nothing outside of it is read or written.
@Suite(.timeLimit(Trial.limit)) struct ForeignFolderTests {
  private static let lines = [
    "pull ~/shop 6,12", "pull ~/shop keep server", "pull ~/shop where price>0 keep server", "push ~/shop yes deletes",
    "status ~/shop", "dry push ~/shop",
  ]

  /// Calls a closure with the path of a folder with products 6 and 12, of which the file of 6 is gone, and checks that
  /// neither the sandbox beside it nor the market changed.
  private func withFolder(
    _ sandbox: Sandbox, _ body: (_ folder: String) async throws -> Void
  ) async throws {
    let folder = sandbox.folder + "/shop"
    try? FileManager.default.removeItem(atPath: folder)
    _ = await sandbox.run("pull ~/shop 6,12")
    try Sandbox.execute("sh", "-c", "rm shop/products/000006-*", in: sandbox.folder)
    try sandbox.writeFile("victim", "old")
    try await body(folder)
    #expect(try String(contentsOfFile: sandbox.folder + "/victim", encoding: .utf8) == "old")
    #expect(try await sandbox.product(6)?.stock == 40)
  }

  /// A record that names no file of `products` makes the folder unusable, and the error has its line.
  @Test func recordThatIsAPathIsRefused() async throws {
    let names = [
      "../../victim", "../../victim.toml", "/tmp/victim.toml", "HOME/victim.toml", "a/b.toml", "", ".toml", "..",
      ".git/x.toml", ".hidden.toml", "a\u{0}.toml", "x.txt", "a\u{2F}\u{301}b.toml",
      String(repeating: "a", count: 300) + ".toml",
    ]
    try await Sandbox.with { sandbox in
      for name in names {
        try await withFolder(sandbox) { folder in
          let base = folder + "/.openmarket/base.jsonl"
          let old = try String(contentsOfFile: base, encoding: .utf8)
          let file = try #require(
            String(
              data: JSONEncoder().encode(name.replacing("HOME", with: sandbox.folder)), encoding: .utf8))
          let record = #"{"id":6,"file":\#(file),"text":"id = 6\nname = \"old\"\nprice = 5\n"}"#
          try (old + record + "\n").write(toFile: base, atomically: false, encoding: .utf8)
          let number = old.count { $0 == "\n" } + 1
          for line in ForeignFolderTests.lines {
            let said = await sandbox.run(line)
            #expect(
              said.contains("Line \(number): it is not the record of a product") && said.hasSuffix("= 2\n"),
              "\(name): \(said)")
          }
        }
      }
    }
  }

  /// Records that lack a member, or have one of another type, are damaged; a line that a killed push left is not.
  @Test(arguments: [
    (#"{"id":6,"text":"id = 6\n"}"#, true), (#"{"id":6,"file":"a.toml"}"#, true),
    (#"{"id":"6","file":"a.toml"}"#, true),
    (#"{"id":6,"file":7,"text":""}"#, true), ("[]", true), ("7", true), (#"{"id":6,"file":"a.to"#, false),
    ("", false), (#"{"id":6,"deleted":true}"#, false), (#"{"id":6,"push":{"row":"a.toml 0#0","log":1}}"#, true),
    (#"{"id":6,"push":{"row":"a.toml 0#0","log":1,"text":"stock = 5\n"}}"#, false),
  ])
  func damagedRecordIsRefused(_ record: String, _ isDamaged: Bool) async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("pull ~/shop 6")
      let base = sandbox.folder + "/shop/.openmarket/base.jsonl"
      let old = try String(contentsOfFile: base, encoding: .utf8)
      try (old + record + "\n").write(toFile: base, atomically: false, encoding: .utf8)
      let said = await sandbox.run("status ~/shop")
      #expect(said.contains("not the record of a product") == isDamaged, "\(said)")
    }
  }

  /// The record is recognized by the JSON of its first line, which a formatter spaces in another way.
  @Test(arguments: [
    (#"{"openmarket":"folder","version":1}"#, true), (#"{"openmarket": "folder", "version": 1}"#, true),
    (#"{ "version" : 1, "openmarket" : "folder" }"# + "\r", true), (#"{"openmarket":"folder","version":2}"#, false),
    (#"{"openmarket":"map","version":1}"#, false), ("[]", false), ("", false),
  ])
  func firstLineIsReadAsJSON(_ head: String, _ isRead: Bool) async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("pull ~/shop 6")
      let base = sandbox.folder + "/shop/.openmarket/base.jsonl"
      let old = try String(contentsOfFile: base, encoding: .utf8)
      let rest = old.unicodeScalars.drop { $0 != "\n" }
      try (head + String(rest)).write(toFile: base, atomically: false, encoding: .utf8)
      let said = await sandbox.run("status ~/shop")
      #expect(said.contains("not a file of this program") != isRead, "\(said)")
    }
  }

  /// The program's own files and folders are neither read nor written where links to others stand, as git makes them.
  @Test(arguments: [
    ".openmarket/base.jsonl", ".openmarket/market.toml", ".openmarket", "products", "pictures",
  ])
  func linkInPlaceOfAnOwnFileIsRefused(_ name: String) async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("pull ~/other 12")
      let other = try sandbox.contents(of: "other")
      try await withFolder(sandbox) { folder in
        try FileManager.default.removeItem(atPath: folder + "/" + name)
        symlink(sandbox.folder + "/other/" + name, folder + "/" + name)
        for line in ForeignFolderTests.lines where name != "pictures" || line.hasPrefix("pull") {
          let said = await sandbox.run(line)
          #expect(said.contains("link") && said.hasSuffix("= 2\n"), "\(line): \(said)")
        }
      }
      #expect(try sandbox.contents(of: "other") == other)
    }
  }
}

extension Sandbox {
  /// Returns the contents of every file of a folder.
  fileprivate func contents(of name: String) throws -> [String: Data] {
    let root = folder + "/" + name
    return try FileManager.default.subpathsOfDirectory(atPath: root).reduce(into: [:]) { contents, path in
      contents[path] = FileManager.default.contents(atPath: root + "/" + path)
    }
  }
}
