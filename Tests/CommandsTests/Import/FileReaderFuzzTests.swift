import Catalog
import CommandLanguage
import Foundation
import MarketOperations
import Platform
import Presentation
import TestSupport
import Testing

@testable import Commands
@testable import Platform
@testable import Shell
@testable import ShellRuntime

/// Mutated files are read or rejected: no reader crashes or uses unlimited memory.
///
/// Each reader runs in a process of its own, so that its peak memory is measured separately and a trap is a failure.
@Suite(.timeLimit(Trial.limit)) struct FileReaderFuzzTests {
  enum Reader: String, CaseIterable, Codable, Sendable {
    case plan, recording, csv, jsonLines
    /// A workbook whose parts are mutated, and one whose archive is.
    case workbook, archive
    case productFile, folderBase, exportBaseline
    /// The TOML of settings and of lessons.
    case settings
    case handover
    /// The recipes for suppliers' files, and such a file.
    case recipes, supplierFile
  }

  @Test(.computesLong, arguments: Reader.allCases) func mutatedFileIsReadOrRefused(_ reader: Reader) async {
    let (seed, count) = (Trial.seed, Trial.count(150, long: 1_000_000, variable: "OPENMARKET_FUZZ_ROUNDS"))
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent], "seed \(seed)"
    ) {
      [reader = reader as Reader, seed = seed as UInt64, count = count as Int] in
      try FileReaderFuzzTests.with(reader) { body in
        try reader.fuzzer.runAlone(reader.rawValue, count, seed: seed, body)
      }
    }
    // What the process of a test prints goes nowhere by itself.
    Trial.printInLongRun(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self))
  }

  /// The unmodified samples are read.
  ///
  /// Otherwise the fuzzer would only reach the first check of a reader.
  @Test(arguments: Reader.allCases) func unmodifiedSamplesAreRead(_ reader: Reader) throws {
    let folder = NSTemporaryDirectory() + "openmarket-samples-\(reader.rawValue)-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for sample in reader.fuzzer.samples {
      try Data(sample).write(to: URL(fileURLWithPath: folder + "/file.jsonl"))
      do { try reader.read(folder + "/file.jsonl", in: folder) } catch {
        Issue.record("\(error): \(CommandError(describing: error).message)")
      }
    }
    let read = try FileReaderFuzzTests.run(reader, 300, seed: 7)
    #expect((5..<300).contains(read), "\(read) of 300")
  }

  /// Returns the number of files that were accepted.
  @discardableResult
  private static func run(_ reader: Reader, _ count: Int, seed: UInt64) throws -> Int {
    try with(reader) { try reader.fuzzer.run(reader.rawValue, count, seed: seed, $0) }
  }

  /// Calls `body` with the function that reads a file's bytes and returns whether they were accepted.
  private static func with<Result>(_ reader: Reader, _ body: (([UInt8], Int) throws -> Bool) throws -> Result) throws
    -> Result
  {
    let folder = NSTemporaryDirectory() + "openmarket-fuzz-\(reader.rawValue)-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/file.jsonl"
    // A file that is truncated to nothing and closed is written to the disk at once by ext4.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    return try body { bytes, _ in
      try #require(
        pwrite(descriptor, bytes, bytes.count, 0) == bytes.count && ftruncate(descriptor, off_t(bytes.count)) == 0)
      do {
        try reader.read(path, in: folder)
        return true
      } catch {
        // The error message quotes the file, so it must handle its bytes too.
        _ = CommandError(describing: error)
        return false
      }
    }
  }

  /// A reader that takes too long for one file, or that keeps what it reads, fails the test.
  @Test func slowAndGrowingReadersAreFound() async {
    await #expect(processExitsWith: .success) {
      let fuzzer = MutatingFuzzer(samples: ["id,name\n1,cup\n"])
      var kept: [[UInt8]] = []
      #expect(throws: MutatingFuzzer.GrowingReader.self) {
        try fuzzer.runAlone("growing", 100, seed: 1) { _, number in
          kept.append(Array(repeating: UInt8(number), count: 1 << 20))
          return true
        }
      }
      #expect(kept.count == 100)
      #expect(throws: MutatingFuzzer.SlowReader.self) {
        try fuzzer.run("slow", 3, seed: 1, maximumTime: 5) { _, number in
          let end = ContinuousClock.now + .milliseconds(number == 2 ? 60 : 0)
          while ContinuousClock.now < end {}
          return true
        }
      }
    }
  }
}

extension FileReaderFuzzTests.Reader {
  /// Reads the file like the command that uses such files.
  fileprivate func read(_ path: String, in folder: String) throws {
    switch self {
    case .plan: _ = try PlanFile(StableFileReader.text(path, limit: PlanFile.maximumBytes), named: path, .documented)
    case .recording: _ = try Recording(path)
    case .handover: _ = try HandoverFile(path)
    case .settings:
      _ = TOML.serialized(try TOMLDocument(parsing: StableFileReader.text(path, limit: 1 << 20)).table)
    case .recipes:
      for (name, recipe) in try RecipeStore(at: path).load() {
        _ = RecipeClauses.line(recipe, named: name, file: "a.csv", sheet: nil)
        _ = SettingsFile.text([name: .table(recipe.toml)])
      }
    case .supplierFile:
      let rows = try CSVReader.rows(of: StableFileReader.text(path, limit: 1 << 20))
      let products = [Product(id: 138, name: "cup"), Product(id: 132, name: "컵")]
      guard let sheet = SupplierSheet.best(of: SupplierSheet.candidates(rows, .editionIndependent)) else {
        throw FileError.notText(path: path)
      }
      var proposal = RecipeProposal(sheet, own: products, .editionIndependent)
      proposal.take(proposal.recipe)
      var recipe = proposal.recipe
      if recipe.heading(of: HeadingWord.costName) != nil { recipe.formulas[.price] = "cost*1.3 round 100" }
      try recipe.check()
      var problems = ImportProblems(path)
      _ = try SupplierRows(sheet, recipe, own: products, supplied: products, problems: &problems)
      try problems.throwIfAny()
    case .productFile:
      let text = try StableFileReader.text(path, limit: ProductFile.maximumBytes)
      let file = try ProductFile(parsing: text)
      _ = try ProductFile.text(text, with: file.values.mapValues { Optional($0) })
      _ = ProductFile.text(text, withID: file.id ?? 1)
    case .folderBase:
      let name = String(path.split(separator: "/").last ?? "")
      let base = try FolderBase(at: ConfinedPath(stated: name, below: ConfinedPath(folderOf: path)))
      for id in base.names.keys { _ = try base.entry(id)?.values }
    case .exportBaseline:
      guard ExportBaseline(at: path, of: [138, 132]) != nil else { throw FileError.notText(path: path) }
    case .csv, .jsonLines, .workbook, .archive:
      var problems = ImportProblems(path)
      let rows: [ImportRow]
      switch self {
      case .csv:
        let text = try StableFileReader.text(path, limit: 1 << 20)
        rows = ImportCSV(names: .editionIndependent).table(of: text, &problems).rows
      case .jsonLines:
        let text = try StableFileReader.text(path, limit: 1 << 20)
        rows = ImportJSONLines(names: .editionIndependent).table(of: text, &problems).rows
      default:
        var bytes = try StableFileReader.data(path, limit: 1 << 20)
        if self == .workbook { bytes = FileReaderFuzzTests.Reader.archive(bytes) }
        let book = try Workbook(bytes, sheet: nil)
        rows = ImportCSV(names: .editionIndependent).table(of: book.rows, uncomputed: book.uncomputed, &problems).rows
      }
      let place = ServerConfiguration(
        profile: nil, url: nil, dialect: nil, confirm: Sourced(.always, .default),
        access: Sourced(.readWrite, .default))
      let planner = ImportPlanner(
        rows, ImportMerge(nil, winner: nil), Session(server: place), in: ConfinedPath(folder: "/nowhere"))
      planner.check(&problems)
      try problems.throwIfAny()
      let products = rows.compactMap(\.id).map { Product(id: $0, name: "cup", price: Amount(10), stock: 1) }
      _ = planner.plan(Dictionary(products.map { ($0.id, $0) }) { $1 }, problems: &problems)
      try problems.throwIfAny()
    }
  }

  /// The parts of a workbook, with a mark between them.
  private static let parts = [
    (
      "xl/workbook.xml",
      "<workbook><workbookPr date1904=\"0\"/><sheets><sheet name=\"A\" state=\"hidden\" id=\"a\"/><sheet name=\"B\" id=\"b\"/></sheets></workbook>"
    ),
    (
      "xl/_rels/workbook.xml.rels",
      "<x><Relationship Id=\"a\" Type=\"y/worksheet\" Target=\"a.xml\"/><Relationship Id=\"b\" Type=\"y/worksheet\" Target=\"/xl/b.xml\"/></x>"
    ),
    ("xl/a.xml", "<worksheet><sheetData/></worksheet>"),
    (
      "xl/b.xml",
      "<worksheet><sheetData><row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\" t=\"inlineStr\"><is><t>price</t></is></c><c r=\"C1\" t=\"s\"><v>1</v></c></row><row r=\"2\" hidden=\"1\"><c r=\"A2\"><v>42</v></c><c r=\"B2\" s=\"0\"><f>A2*2</f><v>1.5E3</v></c><c r=\"C2\" t=\"str\"><f>A2</f></c></row><row><c r=\"C3\" s=\"1\"><v>43831.5</v></c></row></sheetData></worksheet>"
    ),
    (
      "xl/sharedStrings.xml",
      "<sst><si><t>id</t></si><si><r><t>no</t></r><r><t>te</t></r><rPh sb=\"0\" eb=\"2\"><t>x</t></rPh></si></sst>"
    ),
    (
      "xl/styles.xml",
      "<styleSheet><numFmts><numFmt numFmtId=\"200\" formatCode=\"[Red]yyyy\\-mm&quot;d&quot;\"/></numFmts><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"200\"/></cellXfs></styleSheet>"
    ),
  ]

  private static func archive(_ text: Data) -> Data {
    let pieces = text.split(separator: 1, omittingEmptySubsequences: false)
    return StoredZip(parts: zip(parts, pieces).map { ($0.0, Data($1)) }).bytes
  }

  fileprivate var fuzzer: MutatingFuzzer {
    switch self {
    case .handover:
      MutatingFuzzer(
        samples: [HandoverFile.sample],
        words: [
          "{\"end\":0}", "\"state\":\"sending\"", "\"kind\":\"raw\"", "\"product\":-1", "\"depth\":9223372036854775807",
          "\"address\":\"https://a#b\"", "\"name\":\"../a\"", "\\u0000", "{\"write\":", "{\"sale\":", "1e999",
        ])
    case .workbook:
      MutatingFuzzer(
        samples: [FileReaderFuzzTests.Reader.parts.map(\.1).joined(separator: "\u{1}")],
        words: [
          "<row>", "<row r=\"9223372036854775807\">", "<row r=\"-1\">", "<row r=\"1048576\">", "<c r=\"XFD1\">",
          "<c r=\"XFE1\">", "<c t=\"s\">",
          "<v>", "</v>", "<f>", "</c>", "</row>", "<v>1e99</v>", "formatCode=\"[[[[[[\"", "<si>", "&#0;", "&amp;",
          "<!DOCTYPE a>", "<![CDATA[",
          "numFmtId=\"9223372036854775807\"", "<rPh>",
        ])
    case .archive:
      MutatingFuzzer(
        bytes: [false, true].map { isLong in
          let sheets = FileReaderFuzzTests.Reader.parts[2...3].map { StoredZip.Sheet(name: $0.0, text: $0.1) }
          return Array(
            StoredZip(
              sheets: sheets, strings: FileReaderFuzzTests.Reader.parts[4].1,
              styles: FileReaderFuzzTests.Reader.parts[5].1,
              isLong: isLong
            ).bytes)
        },
        words: [
          "PK\u{1}\u{2}", "PK\u{3}\u{4}", "PK\u{5}\u{6}", "PK\u{6}\u{6}", "PK\u{6}\u{7}", "xl/workbook.xml",
          "\u{7F}\u{7F}\u{7F}\u{7F}",
        ])
    case .productFile:
      MutatingFuzzer(
        samples: [
          "id = 42\nname = \"컵\"\nprice = 12.50\ndiscount = 1\ncurrency = \"USD\"\nstock = 3\nimages = [\n  \"a.png\",\n]\ndescription = \"\"\"\ntwo\nlines\"\"\"\n",
          "# a remark\nname = 'cup' # more\nprice = 999999999999999\nstock = -1\n",
        ],
        words: [
          "id = ", "price = ", "\"\"\"", "'''", "images = [", "0x1F", "1e400", "_", "stock = 9223372036854775807\n",
        ])
    case .recipes:
      MutatingFuzzer(
        samples: [
          """
          version = 1

          [seoul-goods]
          headings = ["품번", "품명", "Unit price", "수량"]
          key = "name"
          missing = "stock=0"
          of = "name~\\"a\\" and stock>1"
          skip = ["TOTAL"]
          [seoul-goods.cells]
          "n/a" = "keep"
          [seoul-goods.columns]
          "품명" = "name"
          "Unit price" = "cost"
          [seoul-goods.formulas]
          price = "cost*1.3 round 100"
          stock = "min(수량, 99)"

          """
        ],
        words: [
          "[a]", "columns = {}", "key = \"id\"", "round 0", "((((", "= \"name\"", "headings = []", "of = \"mine\"",
        ])
    case .supplierFile:
      MutatingFuzzer(
        samples: [
          "단가표,,\n\n품명,공급가,수량\ncup,\"15,000\",3\n컵,₩16000,-\n합계,,3\n", "Item,Price,Price\n,Cost,Qty\ncup,1,2\n",
        ],
        words: ["품명", "Qty", "\n", ",,", "합계", "1e99", "\u{FEFF}", "-", "품명,공급가,수량\n"])
    case .settings:
      MutatingFuzzer(
        samples: [
          """
          version = 1
          default = "shop"

          [profiles.shop]
          url = "https://shop.example"
          settle = 60 # seconds
          [profiles."a b".place]
          latitude = 37.5

          """,
          """
          a.b.c = { x = 1, y = [1, 2, [3]] }
          d = '''
          two
          lines'''
          e = "\\u00E9\\n"
          f = true
          [faults."POST /api"]
          sequence = [503, 201]

          """,
        ],
        words: [
          "[a]", "[a.b]", "a.b = ", "[[a]]", "{ a = 1 }", "\"\"\"", "'''", "\\U0010FFFF", "0x1F", "1_000", ".",
          "\"a\".\"b\" = 1\n",
        ])
    case .folderBase:
      MutatingFuzzer(
        samples: [
          """
          {"openmarket":"folder","version":1}
          {"id":42,"file":"42-cup.toml","text":"id = 42\\nname = \\"cup\\"\\nprice = 5\\n","addresses":["/a.png"],"digests":["ab"],"vendor_id":15}
          {"id":43,"file":"43.toml","text":"id = 43\\n","own_text":"00"}
          {"id":43,"deleted":true}

          """
        ], words: ["{\"id\":", "\"file\":\"../../x\"", "\"deleted\":true", "\"text\":", "\"own_text\":"])
    case .exportBaseline:
      MutatingFuzzer(
        samples: [
          """
          {"openmarket":"cells","version":1}
          {"id":42,"name":"cup","price":"5","stock":"3"}
          {"id":42,"imported":true,"source":"/a.csv","price":"6"}

          """
        ], words: ["{\"id\":", "\"imported\":true", "\"source\":null", "\"price\":"])
    case .plan:
      MutatingFuzzer(
        samples: [
          """
          {
            "openmarket_plan": 1,
            "id": "01JDG0000000000000000000",
            "made": "2022-12-01T00:00:00Z",
            "command": "patch 138 price=19000",
            "note": null,
            "profile": "demo",
            "base_url": "embedded:open",
            "vendor_id": 15,
            "login": "LOGIN",
            "changes": [
              {"edit":138,"name":"우유병","from":{"price":12000,"currency":"KRW"},"to":{"price":19000.5,"currency":"USD"}},
              {"delete":140,"from":{"name":"cup","price":1.25,"discount":0,"currency":"USD","stock":1}},
              {"create":{"name":"new cup","description":"ten letters.","price":10,"discount":1,"currency":"KRW","stock":3,"images":[{"name":"a.png","type":"image/png","base64":"iVBORw0KGgo="}]}}
            ]
          }

          """
        ], words: ["\"edit\":", "\"delete\":", "\"create\":", "\"from\":{", "\"images\":", "1e3", "\"made\":"])
    case .recording:
      MutatingFuzzer(
        samples: [
          """
          {"log":{"_openmarket":{"embedded":true,"edition":"open","vendor_id":15},"entries":[
          {"startedDateTime":"2022-12-01T00:00:00.000Z","request":{"method":"GET","url":"http://127.0.0.1:8080/api/products?page_no=1"},"response":{"status":200,"headers":[{"name":"Content-Type","value":"application/json"}],"content":{"size":12,"text":"{\\"pages\\":[]}"}}},
          {"startedDateTime":"2022-12-01T09:00:00+09:00","request":{"method":"POST","url":"http://127.0.0.1:8080/","postData":{"params":[{"name":"a","value":"b"},{"name":"c","fileName":"d"}]}},"response":{"status":200,"content":{"encoding":"base64","text":"iVBORw0KGgo="}}},
          {"startedDateTime":"2022-12-01T00:00:00Z","request":{"method":"GET","url":"http://127.0.0.1:8080/"},"response":{"status":0},"comment":"timed out"}]}}

          """
        ], words: ["\"startedDateTime\":", "\"status\":", "\"url\":", "\"headers\":[", "\"base64\""])
    case .csv:
      MutatingFuzzer(
        samples: [
          "id,name,price,discount,currency,stock\r\n1,우유병,3500,100,KRW,2\r\n2,\"a \"\"cup\"\",\nof two lines\",9.99,0,USD,-\r\n",
          "id,name,description,price,currency,stock\n3,새 컵,열 글자가 넘는 설명입니다.,3500,KRW,1\n4,'=1+1,ten letters at least,1.50,USD,0\n",
        ], words: ["id,", "\"\"", "\",\"", "'=", "-,", "\r", "images"])
    case .jsonLines:
      MutatingFuzzer(
        samples: [
          """
          {"id":1,"name":"우유병","price":3500,"discount":100,"currency":"KRW","stock":2,"images":null}
          {"id":2,"price":9.99,"stock":0}
          {"id":3,"name":"new cup","description":"ten letters at least","price":10,"currency":"USD"}

          """
        ], words: ["\"id\":", "\"images\":[\"a.png\"]", "\"price\":", "\"sale\":"])
    }
  }
}
