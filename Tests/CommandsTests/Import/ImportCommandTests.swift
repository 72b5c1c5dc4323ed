import Foundation
import Platform
import Shell
import ShellTesting
import TestSupport
import Testing

/// Files written or edited by users: every error is reported with its line, and nothing is sent.
@Suite(.timeLimit(Trial.limit)) struct ImportCommandTests {
  private struct Case {
    var file: String
    var text: String
    var line: String
  }

  private func talk(_ cases: [Case], into golden: String) async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      var said = ""
      for one in cases {
        try Data(one.text.utf8).write(to: URL(fileURLWithPath: sandbox.folder + "/" + one.file))
        said += "# " + one.text.replacing("\r", with: "\\r").replacing("\n", with: "\n# ") + "\n"
        said += "> " + one.line + "\n" + (await sandbox.run(one.line))
      }
      try Golden(golden).check(said)
    }
  }

  /// A file that a spreadsheet resaved: lost characters and formatted numbers are named, and are no edits. Emptied cells are
  /// left alone, and a blank at the end of a value is visible.
  @Test func resavedCellsAreNoEdits() async throws {
    try await Sandbox.with { sandbox in
      for (id, name) in [(138, "✅ 상품 ☕"), (132, "90.750"), (126, "1,800"), (120, "와인 찻잔"), (114, "1e500")] {
        _ = await sandbox.run("patch \(id) name='\(name)' yes")
      }
      _ = await sandbox.run("export where id>=114 and vendor=me columns id,name,stock to ~/k.csv")
      let file = sandbox.folder + "/k.csv"
      var text = try String(contentsOfFile: file, encoding: .utf8)
      for (old, new) in [("✅ 상품 ☕", "? 상품 ?"), ("90.750", "90.75"), ("\"1,800\"", "1800"), ("1e500", "1.00E+500")] {
        #expect(text.contains(old), "\(text)")
        text = text.replacing(old, with: new)
      }
      text = text.replacing("와인 찻잔,40", with: "\"와인 찻잔 \",")
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      let said = await sandbox.run("dry import ~/k.csv")
      #expect(
        said.contains("4 texts were changed by the program that saved the file, not by an edit. Skipped:"), "\(said)")
      #expect(said.contains("product 138, name: ✅ 상품 ☕ -> ? 상품 ? (characters were lost)"), "\(said)")
      #expect(said.contains("product 132, name: 90.750 -> 90.75 (formatted as a number)"), "\(said)")
      #expect(said.contains("1 empty cell was left alone."), "\(said)")
      #expect(said.contains("name 와인 찻잔 -> \"와인 찻잔 \""), "\(said)")
      #expect(!said.contains("already up to date"), "\(said)")
      _ = await sandbox.run("import ~/k.csv yes")
      #expect(await sandbox.run("show 138 name as json") == "{\"name\":\"✅ 상품 ☕\"}\n")
      #expect(await sandbox.run("show 120 stock as json") == "{\"stock\":40}\n")
      // The edit of a name that also lost characters can't be read, and one in another text is made.
      text = text.replacing("? 상품 ?", with: "새 \u{FFFD} 이름").replacing("90.75", with: "91.75")
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      let edited = await sandbox.run("import ~/k.csv yes")
      #expect(edited.contains("product 138, name: ✅ 상품 ☕ -> 새 \u{FFFD} 이름 (characters were lost)"), "\(edited)")
      #expect(await sandbox.run("show 138 name as json") == "{\"name\":\"✅ 상품 ☕\"}\n")
      #expect(await sandbox.run("show 132 name as json") == "{\"name\":\"91.75\"}\n")
      try Data("name,description,price,currency,images\n새 \u{FFFD} 컵,설명이 충분히 깁니다 정말,1500,KRW,cup.png\n".utf8).write(
        to: URL(fileURLWithPath: sandbox.folder + "/new.csv"))
      let refused = await sandbox.run("import ~/new.csv yes")
      #expect(refused.contains("U+FFFD") && refused.hasSuffix("= 2\n"), "\(refused)")
    }
  }

  @Test func invalidCSVIsRefusedWithItsLine() async throws {
    func csv(_ text: String, _ line: String = "import ~/a.csv yes") -> Case {
      Case(file: "a.csv", text: text, line: line)
    }
    try await talk(
      [
        csv(""), csv("id,name\n"), csv("id,nmae,prise\n138,x,1\n"), csv("id,price,id\n138,1,138\n"),
        csv("id,price\n138,100\n132,200\n138,300\n"),
        csv("id,price,stock,name\n138,19 000,1,\n,1,1,\n0,5,5,x\n132,1e3,-1,x\n9999,100,1,좋은 이름\nabc,1,1,1\n"),
        csv("id,price\n138,100,5\n132\n"), csv("id,name\n138,\"open\n132,x\n"), csv("id,name\n138,a\"b\"\n"),
        csv("id,name\n138,\"a\"b\n"),
        csv("id,name,discount,stock,description\n138,-,,,\n132,,-,-,-\n"),
        csv("id,price,discount,sale\n138,20000,1000,500\n"),
        csv("id,price,sale\n138,20000,15000\n", "dry import ~/a.csv"),
        csv("id,stock\r\n138,\r\n\r\n132,5\r\n", "import ~/a.csv yes"),
        csv("\u{FEFF}id,name\n138,'=1+1 이름\n", "import ~/a.csv yes"),
        csv("name,description,price,currency,images\n새 상품,설명이 충분히 깁니다 정말,1500,KRW,cup.png\n", "import ~/a.csv yes"),
        csv(
          "name,description,price,currency,images,stock\n새,설명이 충분히 깁니다 정말,1500,KRW,no.png,\n", "import ~/a.csv yes"),
        csv("id,currency\n138,XYZ\n", "import ~/a.csv"), csv("id,price\n138,0\n132,100000000\n", "import ~/a.csv yes"),
        csv("id,price\n1,5\n", "import ~/a.csv yes"), csv("id,price\n138,5\n", "import ~/nosuch.csv"),
        csv("id,price\n138,5\n", "import ~"),
        csv("id,price\n4e1,5\n4.2E+01,5\n"),
      ], into: "imported-csv")
  }

  @Test func invalidJSONLinesAreRefusedWithTheirLine() async throws {
    func lines(_ text: String, _ line: String = "import ~/a.jsonl yes") -> Case {
      Case(file: "a.jsonl", text: text, line: line)
    }
    try await talk(
      [
        lines("{\"id\":138,\"stock\":12}\n\n{\"id\":132,\"price\":1.5e4}\n"), lines("[1]\n{\"id\":138\n"),
        lines("{\"id\":138,\"stok\":12}\n{\"id\":\"x\"}\n{\"id\":138,\"price\":true}\n{\"id\":138,\"id\":132}\n"),
        lines("{\"id\":138,\"price\":10000000000000000}\n{\"id\":132,\"name\":null,\"stock\":1.5}\n"),
        lines("{\"name\":\"-\"}\n"), lines("{\"id\":138,\"name\":null}\n"),
      ], into: "imported-lines")
  }

  @Test func invalidPlansAreRefused() async throws {
    func plan(_ changes: String, head: String = "", line: String = "apply ~/p.json yes") -> Case {
      let head =
        head.isEmpty
        ? "\"openmarket_plan\":1,\"made\":\"2022-12-01T00:00:00Z\",\"profile\":\"demo\",\"base_url\":\"embedded:open\",\"vendor_id\":15,\"login\":\"LOGIN\","
        : head
      return Case(file: "p.json", text: "{" + head + "\"changes\":[" + changes + "]}", line: line)
    }
    let other =
      "\"openmarket_plan\":1,\"made\":\"2022-12-01T00:00:00Z\",\"profile\":\"shop\",\"base_url\":\"https://x.example\",\"vendor_id\":7,"
    try await talk(
      [
        Case(file: "p.json", text: "nothing", line: "apply ~/p.json"),
        Case(file: "p.json", text: "{}", line: "apply ~/p.json"),
        plan("", head: "\"openmarket_plan\":3,"), plan("", head: other),
        plan("{\"edit\":138,\"from\":{\"stock\":25},\"to\":{\"stock\":1}}", head: other),
        plan("{\"edit\":138,\"from\":{\"stock\":25},\"to\":{\"stock\":-1}}"),
        plan("{\"edit\":138,\"from\":{\"price\":19000},\"to\":{\"price\":1e3}},{\"edit\":138,\"from\":{},\"to\":{}}"),
        plan("{\"edit\":138,\"from\":{\"stok\":25},\"to\":{\"stok\":1}},{\"remove\":5},7,{\"delete\":0,\"from\":{}}"),
        plan("{\"edit\":138,\"from\":{\"stock\":25},\"to\":{\"price\":1}}"),
        plan("{\"edit\":138,\"from\":{\"stock\":25},\"to\":{\"stock\":1}},{\"delete\":138,\"from\":{\"stock\":25}}"),
        plan("{\"create\":{\"name\":\"x\"}}"),
        plan("{\"edit\":138,\"from\":{\"stock\":25},\"to\":{\"stock\":1},\"set\":1}"),
      ], into: "edited-plans")
  }

  @Test func planOfAnotherVendorIsRefused() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("plan patch 138 stock=7 to ~/p.json")
      let path = sandbox.folder + "/p.json"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try text.replacing("\"vendor_id\": 15", with: "\"vendor_id\": 6").write(
        toFile: path, atomically: true, encoding: .utf8)
      let said = await sandbox.run("apply ~/p.json yes")
      #expect(said.contains("Its vendor is 6, but yours is 15.") && said.hasSuffix("= 4\n"), "\(said)")
    }
  }

  /// A file that is still being written is rejected.
  @Test func growingFileIsRefused() throws {
    let path = NSTemporaryDirectory() + "openmarket-" + UUID().uuidString
    try Data("id,price\n".utf8).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(try StableFileReader.text(path, limit: 1000) == "id,price\n")
    #expect(throws: FileError.modifiedWhileReading(path: path)) {
      try StableFileReader.text(path, limit: 1000) {
        let file = FileHandle(forWritingAtPath: path)
        _ = try? file?.seekToEnd()
        try? file?.write(contentsOf: Data("1,2\n".utf8))
        try? file?.close()
      }
    }
  }
}
