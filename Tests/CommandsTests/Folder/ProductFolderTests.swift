import Catalog
import Foundation
import ShellTesting
import TestSupport
import Testing

/// Files of a folder that can't be used: an error with file and line, exit status 2, nothing sent, nothing lost.
@Suite(.timeLimit(Trial.limit)) struct ProductFolderTests {
  /// One way to damage a folder of two products, 6 and 12, of which 6 was changed.
  private struct Damage: Sendable {
    var name: String
    var apply: @Sendable (_ folder: String) throws -> Void

    init(_ name: String, _ apply: @escaping @Sendable (_ folder: String) throws -> Void) {
      self.name = name
      self.apply = apply
    }
  }

  private static let first = "/products/000006-와인-올리브-나무.toml"
  private static let second = "/products/000012-와인-필름-카메라.toml"

  private static func edited(_ name: String, _ change: @escaping @Sendable (String) -> String) -> Damage {
    Damage(name) { folder in
      let path = folder + second
      try change(String(contentsOfFile: path, encoding: .utf8)).write(toFile: path, atomically: false, encoding: .utf8)
    }
  }

  private static func added(_ name: String, _ file: String, _ text: String) -> Damage {
    Damage(name) { folder in
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/products/" + file))
    }
  }

  private static func new(_ pictures: String, _ more: String = "") -> String {
    "name = \"새 상품입니다\"\nprice = 100\ncurrency = \"KRW\"\nimages = [\(pictures)]\ndescription = \"설명이 충분히 깁니다\"\n\(more)"
  }

  private static let damages: [Damage] = [
    edited("a wrong key") { $0.replacing("price", with: "prise") },
    edited("a value of another type") { $0.replacing("stock = 36", with: "stock = \"36\"") },
    edited("no TOML") { "x\n" + $0 },
    edited("the id of a product of the folder") { $0.replacing("id = 12\n", with: "id = 6\n") },
    edited("another product's id") { $0.replacing("id = 12\n", with: "id = 18\n") },
    edited("no id any more") { $0.replacing("id = 12\n", with: "").replacing("stock = 36", with: "stock = 35") },
    edited("a BOM") { "\u{FEFF}" + $0 },
    edited("a conflict marker") {
      $0.replacing("stock = 36", with: "<<<<<<< HEAD\nstock = 36\n=======\nstock = 5\n>>>>>>> x")
    },
    edited("a value that no product can have") { $0.replacing("discount = 0", with: "discount = 999999999") },
    edited("a name that is too short") { $0.replacing("와인 필름 카메라", with: "와") },
    edited("a stock below 0") { $0.replacing("stock = 36", with: "stock = -1") },
    added("a product that does not exist", "x.toml", "id = 99999\nstock = 1\n"),
    added("a new product without a price", "x.toml", "name = \"이름\"\n"),
    added("a picture that is not there", "x.toml", new("\"pictures/none.png\"")),
    added("a picture above the folder", "x.toml", new("\"../cup.png\"")),
    added("a picture with an absolute path", "x.toml", new("\"/etc/passwd\"")),
    added("not UTF-8", "x.toml", ""),
    Damage("a file that is a link") { folder in
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/products/x.toml", withDestinationPath: folder + "/../outside.toml")
    },
    Damage("a picture through a link") { folder in
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/pictures/link", withDestinationPath: folder + "/..")
      try Data(new("\"pictures/link/cup.png\"").utf8).write(to: URL(fileURLWithPath: folder + "/products/x.toml"))
    },
    Damage("products is a link") { folder in
      try FileManager.default.moveItem(atPath: folder + "/products", toPath: folder + "/other")
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/products", withDestinationPath: folder + "/other")
    },
  ]

  @Test func unusableFilesSendAndLoseNothing() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      try sandbox.writeFile("outside.toml", "id = 12\nstock = 1\n")
      _ = await sandbox.run("pull ~/whole 6,12")
      var said = ""
      for damage in ProductFolderTests.damages {
        let folder = sandbox.folder + "/shop"
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.copyItem(atPath: sandbox.folder + "/whole", toPath: folder)
        let path = folder + ProductFolderTests.first
        try String(contentsOfFile: path, encoding: .utf8).replacing("stock = 40", with: "stock = 41")
          .write(toFile: path, atomically: false, encoding: .utf8)
        try damage.apply(folder)
        if damage.name == "not UTF-8" {
          try Data([0x69, 0xFF, 0x0A]).write(to: URL(fileURLWithPath: folder + "/products/x.toml"))
        }
        let before = try ProductFolderTests.contents(of: folder)
        said += "# \(damage.name)\n> push ~/shop yes\n" + (await sandbox.run("push ~/shop yes"))
        let files = try ProductFolderTests.contents(of: folder)
        #expect(files == before, "\(damage.name)")
        // A pull reports the errors of a file itself, and changes nothing then.
        if await sandbox.run("pull ~/shop 6,12").hasSuffix("= 2\n") {
          let files = try ProductFolderTests.contents(of: folder)
          #expect(files == before, "\(damage.name)")
        }
        let (six, twelve) = (try await sandbox.product(6)?.stock, try await sandbox.product(12)?.stock)
        #expect(six == 40 && twelve == 36, "\(damage.name)")
      }
      try Golden("folder-files").check(said)
      #expect(try sandbox.log().isEmpty)
    }
  }

  /// Returns the contents of every file of a folder but those of the program.
  private static func contents(of folder: String) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
    for path in paths where !path.hasPrefix(".openmarket") {
      contents[path] = (try? Data(contentsOf: URL(fileURLWithPath: folder + "/" + path))) ?? Data()
    }
    return contents
  }
}
