import Foundation
import Platform
import ShellTesting
import TestSupport
import Testing

/// The rows of a file to import.
@Suite(.timeLimit(Trial.limit)) struct ImportRowTests {
  /// New products are created in the order of their rows, beside changes of others.
  @Test func newProductsAreCreatedInFileOrder() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      var text = "id,name,description,price,currency,stock,images\n"
      for number in 1...9 {
        text += ",새 상품 \(number),설명이 충분히 깁니다,100,KRW,1,cup.png\n\(138 - 6 * number),,,,,9\(number),\n"
      }
      try sandbox.writeFile("new.csv", text)
      let said = await sandbox.run("import ~/new.csv yes jobs 8")
      #expect(said.contains("18 of 18 changes applied."), "\(said)")
      let names = await sandbox.data("ls where id>141 sort id columns name as csv").data
      #expect(names == "name\n" + (1...9).map { "새 상품 \($0)\n" }.joined(), "\(names)")
    }
  }

  /// The headings of Korean price lists are known; a list with other headings is a supplier's file.
  @Test func koreanHeadingsAreRecognized() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writeFile("ko.csv", "상품 번호,상품명,가격,할인 금액,재고 수량,메모\n138,먹색 요리책,19500,500,7,x\n")
      let said = await sandbox.run("dry import ~/ko.csv")
      for change in ["price ₩19,000 -> ₩19,500", "discount ₩0 -> ₩500", "stock 25 -> 7"] {
        #expect(said.contains(change), "\(said)")
      }
      #expect(said.contains("Ignored columns that are not product fields: 메모"), "\(said)")
      try sandbox.writeFile("new.csv", "품목,값\n새 상품,1500\n".replacing("품목", with: "상품명"))
      let missing = await sandbox.run("import ~/new.csv yes")
      #expect(missing.contains("reason: No column is written.") && missing.hasSuffix("= 4\n"), "\(missing)")
      let patched = await sandbox.run("dry patch 72 가격=11500")
      #expect(patched.contains("price ₩12,000 -> ₩11,500"), "\(patched)")
      _ = await sandbox.run("set lang ko")
      let unknown = await sandbox.run("patch 72 값어치=1")
      #expect(unknown.contains("price(정가)") && unknown.contains("stock(재고)"), "\(unknown)")
    }
  }

  /// Every form in which programs write objects as JSON is read, also in UTF-16 and under another name.
  @Test(arguments: [
    #"[{"id":138,"stock":4},{"id":132,"stock":5}]"#,
    "\u{FEFF}[\n  {\"id\": 138, \"stock\": 4},\r\n  {\"id\": 132, \"stock\": 5}\n]\n",
    #"{"page":1,"size":20,"total":2,"products":[{"id":138,"stock":4,"images":[{"id":1}]},{"id":132,"stock":5}]}"#,
    "{\n  \"products\": [\n    {\"id\": 138, \"stock\": 4},\n    {\"id\": 132, \"stock\": 5}\n  ]\n}\n",
    "{\n  \"id\": 138,\n  \"stock\": 4\n}\n{\n  \"id\": 132,\n  \"stock\": 5\n}\n",
    #"{"id":138,"stock":4}{"id":132,"stock":5}"#, #"{"id":138,"stock":4} {"id":132,"stock":5}"#,
    "{\"id\":138,\"stock\":4}\n\n{\"id\":132,\"stock\":5}\r\n",
  ])
  func everyFormOfJSONDocumentIsRead(_ text: String) async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writeFile("a.json", text)
      try sandbox.writeFile("a.jsonl", text)
      try sandbox.writeFile("a.data", text)
      var wide: [UInt8] = [0xFF, 0xFE]
      for unit in text.utf16.drop(while: { $0 == 0xFEFF }) {
        wide += [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
      }
      try Files.write(Data(wide), to: sandbox.folder + "/wide.json")
      for file in ["a.json", "a.jsonl", "a.data", "wide.json"] {
        let said = await sandbox.run("dry import ~/\(file)")
        #expect(said.contains("stock 25 -> 4") && said.contains("stock 41 -> 5"), "\(file)\n\(said)")
      }
    }
  }

  /// What `ls … as json` wrote is imported after it was edited, and new products of a document are not created twice.
  @Test func listWrittenAsJSONIsImported() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      _ = await sandbox.run("ls mine size 3 as json to ~/list.json")
      _ = try await Sh.run("sed -i 's/\"stock\":25/\"stock\":24/' '\(sandbox.folder)'/list.json")
      #expect(await sandbox.run("import ~/list.json yes").contains("stock 25 -> 24"))
      let new =
        #"{"name":"새 상품","description":"설명이 충분히 깁니다","price":1,"currency":"KRW","stock":1,"images":["cup.png"]}"#
      try sandbox.writeFile("new.json", "[\(new), \(new.replacing("새", with: "헌"))]")
      let said = await sandbox.run("import ~/new.json ids yes")
      #expect(said.contains("2 of 2 changes applied.") && said.contains("not saved in a JSON document"), "\(said)")
      #expect(await sandbox.run("import ~/new.json yes").contains("created before as"))
      #expect(await sandbox.data("ls where id>141 columns name sort id as csv").data == "name\n새 상품\n헌 상품\n")
    }
  }

  /// The line of an error in a document is named, and a line of a file with a product a line, too.
  @Test(arguments: [
    ("[{\"id\":138,\"stock\":4},\n]", "line 2: invalid JSON"), ("[{\"id\":138,\n\"stock\":", "line 2: invalid JSON"),
    ("[\n{\"id\":138,\"stock\":4},\n{\"id\":132,\"stok\":4}]", "line 3: unknown field stok"),
    ("[{\"id\":138,\"stock\":4},7]", "line 1: not only JSON objects"),
    ("[[{\"id\":138,\"stock\":4}]]", "line 1: not only"),
    ("{\"id\":138,\"stock\":4}\n{\"id\":132,\"sto", "line 2: not a JSON object"),
    ("{\"id\":138,\"sto", "line 1: not a JSON"),
    ("{\"products\":[],\"more\":[{}]}", "line 1: not only"),
    ("[{\"id\":138,\"stock\":1},\n{\"id\":138,\"stock\":2}]", "line 2: product 138 is already on line 1"),
  ])
  func documentErrorsNameTheirLine(_ text: String, _ expected: String) async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writeFile("a.json", text)
      let said = await sandbox.run("import ~/a.json yes")
      #expect(said.contains(expected) && said.hasSuffix("= 2\n"), "\(said)")
    }
  }

  private static func table(_ heading: String, _ rows: ClosedRange<Int>, _ row: (Int) -> String) -> String {
    ([heading] + rows.map(row)).map { $0 + "\n" }.joined()
  }

  /// Lines with the same errors are one reason with their count; a hundred reasons are shown.
  @Test(arguments: [
    (
      ImportRowTests.table("name", 1...38) { "cup \($0)" }, ["error: Cannot import ~/a.csv: 38 lines have errors."],
      ["reason: 38 lines (2-39): A new product also needs"], ["line 2:", "line 39:"]
    ),
    (
      "id,stock\n1,x\n2,3\n3,x\n4,x\n5,y\n", ["4 lines have errors."],
      ["reason: 3 lines (2, 4-5): Invalid value for stock: x.", "reason: line 6: Invalid value for stock: y."], []
    ),
    (
      ImportRowTests.table("id,stock", 1...60) { "\($0),\($0 % 2 == 0 ? "1" : "x")" }, ["30 lines have errors."],
      ["reason: 30 lines (2, 4, 6, 8, 10, 12, 14, 16, …): Invalid"], []
    ),
    (
      ImportRowTests.table("id,stock", 1...120) { "\($0),x\($0)" }, ["120 lines have errors.", "reason: and 20 more"],
      ["reason: line 101: Invalid value for stock: x100."], ["line 102:"]
    ),
  ])
  func equalErrorsAreListedOnce(_ text: String, _ counts: [String], _ shown: [String], _ others: [String]) async throws
  {
    try await Sandbox.with { sandbox in
      try sandbox.writeFile("a.csv", text)
      let said = await sandbox.run("dry import ~/a.csv")
      for words in counts + shown { #expect(said.contains(words), "\(said)") }
      for words in others { #expect(!said.contains(words), "\(said)") }
    }
  }
}
