import Foundation
import MarketAPI
import Platform
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing
import Text
import WeatherAPI

/// The subset of TOML of profiles and credentials: valid and invalid files, errors with their line, and no crash for
/// any file.
@Suite(.timeLimit(Trial.limit)) struct TOMLTests {
  private static func read(_ text: String) -> Result<TOML, TOML.SyntaxError> {
    do throws(TOML.SyntaxError) { return .success(try TOML(parsing: text)) } catch { return .failure(error) }
  }

  /// The line and column of a value and of its name, from 1, counted in characters.
  @Test(arguments: [
    (["a"], 1, 1, 1, 5), (["t", "b"], 3, 1, 3, 5), (["t", "b", "c"], 3, 7, 3, 11),
    (["t", "b", "d", "1"], 3, 25, 3, 25),
    (["t", "b", "d", "1", "e"], 3, 27, 3, 31), (["t", "x", "y"], 4, 1, 4, 7), (["t", "x"], 4, 1, 4, 1),
    (["u"], 5, 1, 5, 1), (["t", "b", "none"], 3, 1, 3, 5), (["none"], 1, 1, 1, 1),
  ])
  func valuesKnowTheirPosition(_ path: [String], _ l: Int, _ c: Int, _ line: Int, _ column: Int) throws {
    let text = "\u{FEFF}a = 1\n[t]\nb = { c = '가나', d = [1, { e = 2 }] }\nx.y = 3\n[u.v]\nw = 1\n"
    let document = try TOMLDocument(parsing: text)
    let (name, value) = (document.position(ofName: path), document.position(of: path))
    #expect(name.line == l && name.column == c && value.line == line && value.column == column)
  }

  static let good: [(String, [String: TOML])] = [
    ("", [:]),
    ("# only a remark\n\n", [:]),
    ("\u{FEFF}a = 1\r\nb = 'x'\r\n", ["a": .integer(1), "b": .string("x")]),
    (
      "a = true # yes\nb = false\nc = -12\nd = +1_000\ne = 37.5\nf = -1.5e3",
      [
        "a": .boolean(true), "b": .boolean(false), "c": .integer(-12), "d": .integer(1000), "e": .decimal("37.5"),
        "f": .decimal("-1.5e3"),
      ]
    ),
    ("a.b.c = 1\na.b.d = 2", ["a": .table(["b": .table(["c": .integer(1), "d": .integer(2)])])]),
    (
      "[ profiles . \"my shop\" ]\nurl = \"https://x\"\n[profiles.'가게']\n\"vendor_id\" = 7",
      [
        "profiles": .table([
          "my shop": .table(["url": .string("https://x")]), "가게": .table(["vendor_id": .integer(7)]),
        ])
      ]
    ),
    ("[a.b]\nx = 1\n[a]\ny = 2", ["a": .table(["b": .table(["x": .integer(1)]), "y": .integer(2)])]),
    (#"a = "tab\t quote\" slash\\ é \U0001F600""#, ["a": .string("tab\t quote\" slash\\ é 😀")]),
    (#"a = 'C:\no escape'"#, ["a": .string(#"C:\no escape"#)]),
    ("a = \"\"\"\nline\nnext \\\n   joined\"\"\"\"", ["a": .string("line\nnext joined\"")]),
    ("a = '''\nit''s'''", ["a": .string("it''s")]),
    ("a = '''\r\nline'''\r\n", ["a": .string("line")]),
    (
      "a = [ 1, 'x' ,\n # remark\n 1.50, ]\nb = []",
      ["a": .array([.integer(1), .string("x"), .decimal("1.50")]), "b": .array([])]
    ),
    (
      "a = { x = 1, y.z = 'b' }\nb = {}",
      [
        "a": .table(["x": .integer(1), "y": .table(["z": .string("b")])]), "b": .table([:]),
      ]
    ),
  ]

  @Test(arguments: good.indices) func tomlIsRead(_ index: Int) throws {
    #expect(try TOML(parsing: TOMLTests.good[index].0) == .table(TOMLTests.good[index].1))
  }

  static let bad: [(String, line: Int, String)] = [
    ("[,", 1, "missing name, or a name that needs quotes"), ("[{", 1, "missing name, or a name that needs quotes"),
    ("[=", 1, "missing name, or a name that needs quotes"), ("[#", 1, "missing name, or a name that needs quotes"),
    ("[\n", 1, "missing name, or a name that needs quotes"), ("[]", 1, "missing name, or a name that needs quotes"),
    ("[a", 1, "missing ] after the table name"), ("[a]\n[a]", 2, "duplicate table"),
    ("[a] x", 1, "unexpected text after the value"),
    ("[[a]]", 1, "arrays of tables ([[…]]) are not supported"),
    ("a", 1, "missing = after the name"), ("a =", 1, "missing value"), ("\n\na = # x", 3, "missing value"),
    ("a = [1", 1, "missing ] at the end of the array"), ("a = [1 2]", 1, "missing ] at the end of the array"),
    ("a = [\n1,\n,]", 3, "a value must be a quoted string, a number, true or false"),
    ("a = " + String(repeating: "[", count: 100_000), 1, "arrays are nested too deeply"),
    ("a = 2022-01-01", 1, "a value must be a quoted string, a number, true or false"),
    ("a = 01", 1, "a value must be a quoted string, a number, true or false"),
    ("a = yes", 1, "a value must be a quoted string, a number, true or false"),
    ("a = 9223372036854775808", 1, "the number is too large"), ("a = 1e999", 1, "the number is too large"),
    ("a = 1\na = 2", 2, "duplicate name"), ("a = 1\na.b = 2", 2, "this name already has a value"),
    ("a = 1\n[a]", 2, "this name already has a value"), ("a.b = 1\n[a]", 2, "this table was already defined"),
    ("[a.b]\n[a]\nb.c = 1", 3, "this table was already defined elsewhere"),
    ("a = \"x\nb = 1", 1, "missing closing quote"),
    ("a = 'x", 1, "missing closing quote"), ("a = '''x\n\n", 3, "missing closing quotes"),
    (#"a = "\q""#, 1, "unknown escape after the backslash"), (#"a = "\ud800""#, 1, "invalid character"),
    (#"a = "\u12""#, 1, #"\u must be followed by 4 hex digits, \U by 8"#),
    ("a = \"\u{1}\"", 1, "control characters are not allowed in strings"),
    ("a = { b = 1", 1, "missing } at the end of the inline table"),
    ("a = 1 b = 2", 1, "unexpected text after the value"),
    (String(repeating: "a.", count: 40) + "b = 1", 1, "tables are nested too deeply"),
    ("a = " + String(repeating: "{ a = ", count: 100_000), 1, "tables are nested too deeply"),
  ]

  @Test(arguments: bad.indices) func malformedTOMLIsRefusedWithItsLine(_ index: Int) {
    let (text, line, reason) = TOMLTests.bad[index]
    guard case .failure(let fault) = TOMLTests.read(text) else {
      Issue.record("\(text.prefix(60)) was read")
      return
    }
    #expect(fault.line == line)
    #expect(fault.reason[.english].plain == reason)
  }

  /// A written table is read back unchanged with any names and texts.
  @Test func writtenTableIsReadBack() throws {
    let texts = [
      "", " ", "x", "가 나", "a.b", "\"", "'", "\\", "\n", "\r", "\t", "\u{7F}", "\u{1}", "]", "#", "😀", "a = 1",
    ]
    var dice = SplitMix64(Trial.seed)
    func table(_ depth: Int) -> [String: TOML] {
      var table: [String: TOML] = [:]
      for _ in 0..<Int.random(in: 0...4, using: &dice) {
        let name = texts.randomElement(using: &dice)! + texts.randomElement(using: &dice)!
        switch Int.random(in: 0..<5, using: &dice) {
        case 0: table[name] = .string(texts.randomElement(using: &dice)! + texts.randomElement(using: &dice)!)
        case 1: table[name] = .integer(Int.random(in: Int.min...Int.max, using: &dice))
        case 2: table[name] = .boolean(Bool.random(using: &dice))
        case 3:
          table[name] = .decimal((Double(Int.random(in: -9_000_000...9_000_000, using: &dice)) / 10_000).description)
        default: if depth > 0 { table[name] = .table(self_(depth - 1)) }
        }
      }
      return table
    }
    func self_(_ depth: Int) -> [String: TOML] { table(depth) }
    for _ in 0..<Trial.count(300, long: 5_000) {
      let value = table(3)
      let text = TOML.serialized(value)
      let back = TOMLTests.read(text)
      guard case .success(let read) = back else {
        Issue.record("\(text) \(back)")
        return
      }
      // An integral decimal is written with its point, and an empty nested table keeps its header.
      #expect(read == .table(value), "\(text)")
    }
  }

  /// Files that an earlier version wrote with a library are read.
  @Test func filesWrittenByALibraryAreRead() throws {
    let home = AppDirectories(folder: FileManager.default.temporaryDirectory.appending(path: "toml-\(UUID())").path)
    try Files.createDirectory(home.configuration)
    try Files.write(Data(TOMLTests.oldProfiles.utf8), to: home.profilesFile, mode: 0o600)
    try Files.write(Data(TOMLTests.oldCredentials.utf8), to: home.credentialsFile, mode: 0o600)
    let profiles = try ProfileStore(home).load()
    #expect(profiles["shop"]?.url == "https://shop.example" && profiles["shop"]?.confirm == .bulk)
    #expect(profiles["shop"]?.vendorID == 15 && profiles["shop"]?.places?["우리 집"]?.coordinate.latitude == 37.5)
    #expect(try CredentialStore(home).load("shop")?.identifier == "me's \"own\"")
    try ProfileStore(home).set("other", Profile(url: "https://other.example"))
    #expect(try ProfileStore(home).load()["shop"] == profiles["shop"])
  }

  private static let oldProfiles = """
    [profiles]
    [profiles.demo]
    confirm = 'bulk'

    [profiles.shop]
    api = 'open'
    confirm = 'bulk'
    url = 'https://shop.example'
    vendor_id = 15

    [profiles.shop.place]
    latitude = 37.5665
    longitude = 126.97800000000001
    name = 'Seoul'

    [profiles.shop.places]
    [profiles.shop.places.'우리 집']
    latitude = 37.5
    longitude = 127.0

    """
  private static let oldCredentials = """
    [vendors]
    [vendors.shop]
    identifier = "me's \\"own\\""
    secret = 'geheim'

    """

  @Test func anyFileIsReadOrRefused() throws {
    let fuzzer = MutatingFuzzer(
      samples: TOMLTests.good.map(\.0) + [TOMLTests.oldProfiles, TOMLTests.oldCredentials],
      words: ["[a]", "[[", "]]", "'''", "\"\"\"", "a.b", " = ", "inf", "nan", "0x1F", "1979-05-27", "\\U00110000"])
    let count = Trial.count(1_000, long: 1_000_000, variable: "OPENMARKET_FUZZ_ROUNDS")
    let read = try fuzzer.run("toml", count, seed: Trial.seed) { bytes, number in
      let text = String(decoding: bytes, as: UTF8.self)
      switch TOMLTests.read(text) {
      case .success(let value):
        // A value that was read can be written and read again.
        #expect(TOMLTests.read(TOML.serialized(value.table ?? [:])) == .success(value), "number \(number)")
        return true
      case .failure(let fault):
        #expect(fault.line >= 1 && fault.line <= text.utf8.count { $0 == 10 } + 1)
        return false
      }
    }
    #expect(read > 100)
  }

  /// An invalid file is reported with its path, line, reason and next step, and exit code 2.
  @Test(arguments: ["[,", "[{", "[=", "[#", "[\n", "[profiles.x]\nconfirm = 'sometimes'"])
  func invalidFileIsReportedWithItsLine(_ text: String) async throws {
    try await Sandbox.with { sandbox in
      try Files.createDirectory(sandbox.home.configuration)
      try Files.write(Data(text.utf8), to: sandbox.home.profilesFile, mode: 0o600)
      let said = await sandbox.run("profile")
      #expect(said.contains("Cannot read HOME/config/profiles.toml."), "\(said)")
      #expect(
        said.contains(text.contains("confirm") ? "Line 2: confirm must be one of always, bulk, never." : "Line 1: "),
        "\(said)")
      #expect(said.hasSuffix("= 2\n"), "\(said)")
    }
  }
}
