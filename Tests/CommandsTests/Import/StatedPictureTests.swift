import Catalog
import Foundation
import Platform
import ShellTesting
import TestSupport
import Testing

/// The images that a table names are below the folder of the table.
@Suite(.timeLimit(Trial.limit)) struct StatedPictureTests {
  enum Format: String, CaseIterable, Sendable {
    case csv, jsonl, json, xlsx
  }

  private func table(_ format: Format, images: String) throws -> Data {
    let values = [
      ("name", "새 상품"), ("description", "설명이 충분히 깁니다"), ("price", "1500"), ("currency", "KRW"), ("images", images),
    ]
    switch format {
    case .csv:
      return Data((values.map(\.0).joined(separator: ",") + "\n" + values.map(\.1).joined(separator: ",") + "\n").utf8)
    case .jsonl, .json:
      let object = Dictionary(uniqueKeysWithValues: values.filter { $0.0 != "images" })
      var members: [String: Any] = object
      members["price"] = 1500
      members["images"] = [images]
      return try JSONSerialization.data(withJSONObject: format == .json ? [members] : members) + Data("\n".utf8)
    case .xlsx:
      let rows = [values.map(\.0), values.map(\.1)].map { cells in
        "<row>" + cells.map { "<c t=\"inlineStr\"><is><t>\($0)</t></is></c>" }.joined() + "</row>"
      }
      return StoredZip(sheet: "<worksheet><sheetData>\(rows.joined())</sheetData></worksheet>").bytes
    }
  }

  /// A path that leaves the folder is an error with its line, whether a picture is there or not, and nothing is sent.
  @Test(arguments: Format.allCases) func pictureOutsideIsRefused(_ format: Format) async throws {
    let names = [
      "../cup.png", "../none.png", "HOME/cup.png", "/etc/shadow", "~/cup.png", "sub/../../cup.png", ".hidden/cup.png",
      "link.png", "up/cup.png", "sub/up/cup.png", "sub/",
    ]
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      try Sandbox.execute(
        "sh", "-c",
        "mkdir -p in/sub in/.hidden; cp cup.png in/.hidden; ln -s ../cup.png in/link.png; ln -s .. in/up; ln -s ../.. in/sub/up",
        in: sandbox.folder)
      for name in names {
        let stated = name.replacing("HOME", with: sandbox.folder)
        try Files.write(try table(format, images: stated), to: sandbox.folder + "/in/t.\(format.rawValue)")
        let said = await sandbox.run("import ~/in/t.\(format.rawValue) yes")
        #expect(
          said.contains("Cannot use \(name).") && said.contains("Nothing was sent.") && said.hasSuffix("= 2\n"),
          "\(name): \(said)")
        #expect(said.contains("below its own folder") || said.contains("It is a link"), "\(name): \(said)")
      }
      #expect(try sandbox.log().isEmpty)
    }
  }

  /// A picture below the folder of the table is found from any working folder, and the preview has its path.
  @Test(arguments: Format.allCases) func pictureBelowIsShownAsItIsNamed(_ format: Format) async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      try Sandbox.execute("sh", "-c", "mkdir -p in/한; cp cup.png in/한", in: sandbox.folder)
      try Files.write(try table(format, images: "./한/cup.png"), to: sandbox.folder + "/in/t.\(format.rawValue)")
      let file = "~/in/t.\(format.rawValue)"
      #expect(await sandbox.run("dry import \(file)").contains("images 1 ./한/cup.png (11 KB)"))
      #expect(await sandbox.run("plan import \(file) to ~/p.plan").contains("images 1 ./한/cup.png (11 KB)"))
      #expect(await sandbox.run("dry apply ~/p.plan").contains("images 1 ./한/cup.png (11 KB)"))
      #expect(await sandbox.run("import \(file) yes").contains("Created"))
      // The server gets no path.
      #expect(try await sandbox.product(142)?.name == "새 상품")
      #expect(await sandbox.run("import \(file) yes").contains("created before, as product 142"))
    }
  }

  /// A link to a table leads to its folder.
  @Test func picturesAreBesideTheTableThatALinkLeadsTo() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      try Sandbox.execute("sh", "-c", "mkdir in; cp cup.png in/own.png; ln -s in/t.csv latest.csv", in: sandbox.folder)
      try Files.write(try table(.csv, images: "own.png"), to: sandbox.folder + "/in/t.csv")
      #expect(await sandbox.run("dry import ~/latest.csv").contains("images 1 own.png"))
    }
  }

  /// What is typed may lead anywhere.
  @Test func typedPathIsFree() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      let line = "dry new name='새 상품' description='설명이 충분히 깁니다' price=1 currency=KRW images="
      for path in [
        "~/cup.png", sandbox.folder + "/cup.png",
        sandbox.folder + "/../" + sandbox.folder.split(separator: "/").last! + "/cup.png",
      ] {
        #expect(await sandbox.run(line + path).contains("images 1 (11 KB)"))
      }
    }
  }
}
