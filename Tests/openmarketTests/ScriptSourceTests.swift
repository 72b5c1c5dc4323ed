import Foundation
import TerminalTesting
import TestSupport
import Testing

/// Non-interactive lines: `-c`, `-f`, standard input, and the destinations of their data.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct ScriptSourceTests {
  private let scriptedHome: ScriptedHome

  init() throws { scriptedHome = try ScriptedHome() }

  @Test func linesRunInTheGivenOrder() throws {
    let script = try scriptedHome.folder.file("two.market", "show 42 stock as tsv; show 42 price as tsv\n")
    let result = try scriptedHome.run("-c", "show 42 id as tsv", "-f", script, "-c", "show 42 currency as tsv")
    #expect(result == .init(out: "id\n42\nstock\n2\nprice\n3500\ncurrency\nKRW\n", err: "", code: 0))
  }

  /// A script with a key that stopped goes on with the line that failed, until it was run to its last line.
  @Test func scriptWithAKeyGoesOnWithTheLineThatFailed() throws {
    let folder = scriptedHome.folder
    let file = folder.path + "/extra.csv"
    let script = try folder.file(
      "keyed.market", "patch 138 stock=3 yes\nimport '\(file)' yes\npatch 126 stock=5 yes\n")
    func run(_ arguments: String...) throws -> PipedProgram.Result {
      try openmarket(["--home", folder.path + "/keyed", "--lang", "en"] + arguments)
    }
    for _ in 1...2 { #expect(try run("--once", "D1", "-f", script).code == 2) }
    _ = try folder.file("extra.csv", "id,stock\n132,4\n")
    let complete = try run("--once", "D1", "-f", script)
    #expect(complete.code == 0 && complete.err.contains("r1 is complete"), "\(complete)")
    let rows = try run("-c", "ls where id in (138, 132, 126) columns id,stock as tsv")
    #expect(rows.out == "id\tstock\n138\t3\n132\t4\n126\t5\n")
    let again = try run("--once", "D1", "-f", script)
    #expect(again.code == 0 && again.err.contains("r1 has the same key and ended: just now, 3 done."), "\(again)")
  }

  /// A script of `-f` has no arguments, and says so as `source` does.
  @Test func scriptWithoutArgumentsNamesThem() throws {
    let file = try scriptedHome.folder.file("named.market", "echo $1\n")
    let result = try scriptedHome.run("-f", file)
    #expect(result.code == 2 && result.err.contains("The script needs an argument 1."), "\(result)")
    #expect(try scriptedHome.run("-c", "echo $1").out == "$1\n")
  }

  /// With `--keep-going` an error ends its line, which is said.
  @Test func restOfALineIsNamed() throws {
    let result = try scriptedHome.run("--keep-going", "-c", "show 999999; echo a; echo b", "-c", "echo c")
    #expect(
      result.out == "c\n" && result.err.contains("The rest of the line was not run: `echo a; echo b`"), "\(result)")
  }

  /// A script whose name is in the other normalization form, as macOS writes it, is found.
  @Test(arguments: [true, false]) func scriptIsFoundInTheOtherNormalizationForm(_ isTypedComposed: Bool) throws {
    let (composed, decomposed) = ("아침.market", "아침.market".decomposedStringWithCanonicalMapping)
    _ = try scriptedHome.folder.file(isTypedComposed ? decomposed : composed, "show 42 id as tsv\n")
    let typed = scriptedHome.folder.path + "/" + (isTypedComposed ? composed : decomposed)
    #expect(try scriptedHome.run("-f", typed) == .init(out: "id\n42\n", err: "", code: 0))
    #expect(try scriptedHome.run("-c", "source '\(typed)'") == .init(out: "id\n42\n", err: "", code: 0))
  }

  /// `to -` is the standard output, and no file.
  @Test(arguments: ["show 42 id as tsv to -", "ls columns id as tsv to -", "export where id=42 columns id to -"])
  func toMinusIsStandardOutput(_ line: String) throws {
    let result = try scriptedHome.run("-c", line)
    #expect(result.out == "id\n42\n" && result.code == 0, "\(result)")
    #expect(!FileManager.default.fileExists(atPath: "-"))
  }

  @Test(arguments: [["-f", "-"], ["-"], []]) func linesOfStandardInputAreRun(_ arguments: [String]) throws {
    let result = try openmarket(
      ["--url", scriptedHome.server.url, "--api", "open", "--home", scriptedHome.folder.path] + arguments,
      input: "# a remark\nshow 42 id \\\n  as tsv # and more\n\nshow 42 stock as tsv")
    #expect(result == .init(out: "id\n42\nstock\n2\n", err: "", code: 0))
  }

  /// As with `--password-stdin` of other programs: piped, and not visible on the screen or in the process list.
  @Test(arguments: [
    (
      "hush-hush\n", "warning: The credentials have not been checked and will be checked by the first change.\n",
      "identifier   me", 0
    ),
    ("", "note: No secret was given. Not logged in.\n", "", 4),
  ])
  func secretIsReadFromStandardInput(_ input: String, _ said: String, _ shown: String, _ code: Int32) throws {
    let result = try scriptedHome.run("-c", "login identifier=me secret=@-", "-c", "whoami", input: input)
    #expect(result.err.hasPrefix(said), "\(result)")
    #expect(result.out.hasPrefix(shown) && !(result.out + result.err).contains("hush"), "\(result)")
    #expect(result.code == code)
  }

  /// The credentials of a profile's server aren't sent to a server that an option names, and aren't replaced by those
  /// for it.
  @Test func profileSecretIsNotSentToAnotherServer() throws {
    func run(_ arguments: [String], input: String = "") throws -> PipedProgram.Result {
      try openmarket(["--home", scriptedHome.folder.path + "/home"] + arguments, input: input)
    }
    _ = try run(["-c", "profile add shop url=\(scriptedHome.server.url) api=open"])
    _ = try run(["--profile", "shop", "-c", "login identifier=me secret=@-"], input: "hush-hush")
    #expect(try run(["--profile", "shop", "-c", "whoami"]).out.hasPrefix("identifier   me\n"))
    let elsewhere = ["--profile", "shop", "--url", "http://127.0.0.1:1", "--api", "open"]
    #expect(try run(elsewhere + ["-c", "whoami"]).err.hasPrefix("note: Not logged in."))
    let login = try run(elsewhere + ["-c", "login identifier=you secret=@-"], input: "other")
    #expect(
      login.err
        == "warning: The credentials have not been checked and will be checked by the first change.\n"
        + "  reason: Without a vendor ID your products cannot be found.\n"
        + "  reason: For this session only: the server in use is not that of profile shop.\n")
    #expect(try run(["--profile", "shop", "-c", "whoami"]).out.hasPrefix("identifier   me\n"))
  }

  @Test func scriptStopsAtTheFirstFailure() throws {
    let result = try scriptedHome.run("-c", "format", "-c", "lst", "-c", "format")
    #expect(result.out == "table\n")
    #expect(result.err == "error: Unknown command: `lst`.\n  hint: Did you mean `ls`?\n")
    #expect(result.code == 2)
  }

  @Test func keepGoingRunsTheRest() throws {
    let result = try scriptedHome.run("--keep-going", input: "format\nshow 9\nlst\nformat json\nformat\n")
    #expect(result.out.hasPrefix("table\n"))
    #expect(result.out.contains("json"))
    #expect(
      result.err == """
        error: Not found on the server.
          reason: Status 404: nothing here
        note: standard input, line 2: `show 9`
        error: Unknown command: `lst`.
          hint: Did you mean `ls`?
        note: standard input, line 3: `lst`

        """)
    #expect(result.code == 1)
  }

  @Test func checkReadsEveryLineAndSendsNothing() throws {
    let result = try scriptedHome.run("--check", input: "ls\nlst\nrm 42 yes\npatch 42 price=1e3\nshow 42\n")
    #expect(result.out == "")
    #expect(
      result.err == """
        error: Unknown command: `lst`.
          hint: Did you mean `ls`?
        note: standard input, line 2: `lst`
        error: Invalid value for price: 1e3.
          hint: Write a price as 12900 or 19.99: up to 15 digits, up to 2 decimals.
        note: standard input, line 4: `patch 42 price=1e3`

        """)
    #expect(result.code == 2)
    #expect(scriptedHome.server.requests.isEmpty)
    #expect(try scriptedHome.run("--check", input: "ls\nrm 42 yes\n") == .init(out: "", err: "", code: 0))
  }

  /// Every source is checked, and a folder isn't a source.
  @Test func checkReadsEverySource() throws {
    let result = try scriptedHome.run("--check", "-c", "lst", "-c", "ls", "-c", "shwo 3")
    #expect(result.err.contains("`lst`") && result.err.contains("`shwo`"), "\(result.err)")
    #expect(result.code == 2)
    let folder = try scriptedHome.run("-f", "/")
    #expect(folder.code == 2)
    #expect(folder.err == "error: Cannot read /.\n  reason: It is not a regular file.\n")
  }

  /// An unreadable script isn't an empty one: a folder as standard input, or a write-only descriptor.
  @Test(arguments: ["</", "0>/dev/null"], ["-f -", "", "--keep-going --check -f -"])
  func unreadableInputIsAnError(_ input: String, _ options: String) throws {
    let program = try PipedProgram(
      ["-c", "exec \"$0\" --home /nonexistent --lang en \(options) \(input)", builtProgram("openmarket")],
      program: "/bin/sh")
    let result = try program.result()
    #expect(result.code == 1 && result.out == "", "\(result)")
    #expect(result.err.hasPrefix("error: Cannot read the rest of the script. It ends here.\n"), "\(result.err)")
    #expect(result.err.contains(input == "</" ? "Is a directory" : "Bad file descriptor"), "\(result.err)")
  }

  /// What a URL of a server must not have is named, and a password in it is not shown.
  @Test(arguments: [
    ("http://me:canary@127.0.0.1:1", "a user name or a password"), ("http://127.0.0.1:1/api?x=1", "contains ? or #"),
    ("http://127.0.0.1:1#top", "contains ? or #"), (" http://127.0.0.1:1", "a space or a line break"),
    ("http://127.0.0.1:1\n", "a space or a line break"),
  ])
  func invalidURLIsExplained(_ url: String, _ reason: String) throws {
    let result = try openmarket(["--api", "open", "-c", "ls"], environment: ["OPENMARKET_URL": url])
    #expect(result.code == 2 && result.err.contains(reason), "\(result)")
    #expect(!result.err.contains("canary"), "\(result)")
  }

  /// A password in a URL is not shown, whatever characters it has and wherever the URL is typed.
  @Test(arguments: [
    "http://me:canary@127.0.0.1:1", "http://me:x/canary@127.0.0.1:1", "http://me:canary/x@127.0.0.1:1",
    "http://me:canary?x@127.0.0.1:1", "http://me:canary#x@127.0.0.1:1", "http://me:@canary@127.0.0.1:1",
    "me:canary@127.0.0.1:1", "me:canary/x@127.0.0.1:1",
  ])
  func passwordInAURLIsNotShown(_ url: String) throws {
    let home = try TemporaryHome()
    let lines = [
      ["--url", url, "--api", "open", "-c", "ls"], ["-c", "profile add shop url=\(url) api=open"],
      ["-c", "profile add shop url=http://127.0.0.1:1 api=open proxy=\(url)"],
    ]
    for line in lines + (url.hasPrefix("http") ? [["-c", "get \(url)"]] : []) {
      let result = try openmarket(["--home", home.path + "/home"] + line)
      #expect(result.code != 0 && !(result.out + result.err).contains("canary"), "\(line) \(result)")
    }
  }

  /// A text that could not be written is no success, whatever prints it.
  @Test(arguments: [
    "--help", "--version", "--generate-manual", "--generate-skill", "--generate-completion-script bash", "help",
    "serve --help", "echo hi",
  ])
  func fullDeviceIsAnError(_ words: String) throws {
    let home = try TemporaryHome()
    let program = try PipedProgram(
      ["-c", "exec \"$0\" --home '\(home.path)' --lang en \(words) >/dev/full", builtProgram("openmarket")],
      program: "/bin/sh")
    let result = try program.result()
    #expect(result.code == 1 && result.err.contains("No space left on device"), "\(result)")
  }

  /// A sale starts and ends when the clocks of its zone show the time: a time that they skip is later by the gap, and of
  /// one that they show twice it is the first.
  @Test(arguments: [
    ("EST5EDT,M3.2.0,M11.1.0", "2050-03-13T02:30", "2050-03-13T07:30:00Z"),
    ("EST5EDT,M3.2.0,M11.1.0", "2050-03-13", "2050-03-13T05:00:00Z"),
    ("EST5EDT,M3.2.0,M11.1.0", "2050-03-13T03:00", "2050-03-13T07:00:00Z"),
    ("EST5EDT,M3.2.0,M11.1.0", "2050-11-06T01:30", "2050-11-06T05:30:00Z"),
    ("EST5EDT,M3.2.0,M11.1.0", "2050-11-06T02:00", "2050-11-06T07:00:00Z"),
    ("<-04>4<-03>,M9.1.6/24,M4.1.6/24", "2050-09-04", "2050-09-04T04:00:00Z"),
    ("<-04>4<-03>,M9.1.6/24,M4.1.6/24", "2050-04-02T23:30", "2050-04-03T02:30:00Z"),
    ("EET-2EEST,M3.5.0/0,M10.5.0/0", "2050-03-27", "2050-03-26T22:00:00Z"),
    ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2050-10-02T02:15", "2050-10-01T15:45:00Z"),
    ("KST-9", "2052-02-29", "2052-02-28T15:00:00Z"), ("UTC0", "2050-03-13T02:30", "2050-03-13T02:30:00Z"),
  ])
  func salesFollowDaylightSavingChanges(_ zone: String, _ from: String, _ start: String) throws {
    let home = try TemporaryHome()
    let lines = ["-c", "sale 138 10% from \(from) to 2053-12-31 yes", "-c", "sale list as jsonl"]
    let result = try openmarket(["--home", home.path + "/home"] + lines, environment: ["TZ": zone])
    #expect(result.code == 0 && result.out.contains("\"begins\":\"\(start)\""), "\(result)")
  }

  @Test(arguments: ["http://127.0.0.1:70000", "http://127.0.0.1:0", "http://127.0.0.1:99999999999999999999"])
  func invalidPortIsRefused(_ url: String) throws {
    let result = try openmarket(["--url", url, "--api", "open", "-c", "ls"])
    #expect(result.code == 2 && result.err.contains("Invalid server URL: \(url)."), "\(result)")
  }

  /// The program's connections and files aren't inherited by a child process.
  @Test func childProcessInheritsOnlyStandardStreams() throws {
    let result = try scriptedHome.run("-c", "show 42 id | ls /proc/self/fd")
    // Three of its own, and the folder that it lists.
    #expect(result.out.split(separator: "\n").suffix(4) == ["0", "1", "2", "3"], "\(result)")
  }

  @Test func passwordOfASecondURLIsNotShown() throws {
    let result = try openmarket([
      "--url", "http://ann:sesame@127.0.0.1", "-c", "ls; profile add x url=http://a:sesame@b",
    ])
    #expect(result.code == 2 && !result.err.contains("sesame"), "\(result)")
  }

  @Test(arguments: ["rm 42 yes", "patch 42 stock=9 yes", "new name=abc yes"])
  func readOnlySessionRefusesWrites(_ line: String) throws {
    let result = try scriptedHome.run("--read-only", "-c", "show 42 name as csv", "-c", line)
    #expect(result.out == "name\n우유병 텀블러\n")
    #expect(result.code == 4, "\(result.err)")
    #expect(scriptedHome.server.writes.isEmpty)
  }

  @Test func yesOptionAppliesToTheWholeScript() throws {
    _ = try scriptedHome.run("--yes", "-c", "patch 42 stock=9")
    #expect(scriptedHome.server.writes.first?.line == "PATCH /api/products/42")
  }

  @Test func dataIsWrittenToFilesAndPrograms() throws {
    let file = try scriptedHome.folder.file("list.csv")
    let csv = """
      id,name\r
      42,우유병 텀블러\r

      """
    let written = try scriptedHome.run("-c", "ls columns id,name to \(file)")
    #expect(written.out == "")
    #expect(written.code == 0, "\(written.err)")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.replacing("\r\n", with: "\n") == csv.replacing("\r\n", with: "\n"))
    #expect(try scriptedHome.run("-c", "ls columns id,name as csv").out == text.replacing("\r\n", with: "\n"))
    #expect(try scriptedHome.run("-c", "ls as csv | wc -l") == .init(out: "2\n", err: "", code: 0))
    #expect(try scriptedHome.run("-c", "ls columns id as jsonl | cat").out.contains("42"))
  }

  @Test func showAsJSONPrintsOneProduct() throws {
    let result = try scriptedHome.run("-c", "show 42 as json")
    #expect(
      result
        == .init(
          out: #"""
            {"id":42,"name":"우유병 텀블러","description":"뚜껑이 꼭 맞습니다.","price":3500,"discount":100,"sale":3400,"currency":"KRW","stock":2,"vendor":"red123","vendor_id":15,"created":"2022-10-18T00:00:00","modified":"2022-10-18T00:00:00","thumbnail":"http://127.0.0.1:9/t.jpg","images":[{"id":35,"url":"http://127.0.0.1:9/o.jpg","thumbnail":"http://127.0.0.1:9/t.jpg"}]}

            """#, err: "", code: 0))
  }

  @Test func invalidOptionsAreRefused() throws {
    for arguments in [
      ["--colour"], ["--format", "yaml"], ["--api", "camp3"], ["--lang", "fr"], ["-f", "/nonexistent"],
    ] {
      let result = try openmarket(["--home", scriptedHome.folder.path] + arguments)
      #expect(result.out == "")
      #expect(!result.err.isEmpty)
      #expect(result.code == 2, "\(arguments): \(result.err)")
    }
    #expect(try openmarket(["--version"]).code == 0)
  }

  @Test func koreanMessagesArePrinted() throws {
    let result = try scriptedHome.run("--lang", "ko", "-c", "lst")
    #expect(result == .init(out: "", err: "오류: 알 수 없는 명령: `lst`.\n  힌트: `ls`를 뜻하셨나요?\n", code: 2))
  }

  /// A text for a program is exact; a terminal gets no control characters.
  @Test func echoIsExactInAPipe() throws {
    #expect(try scriptedHome.run("-c", "echo \"a\\tb\\u{1b}[1m  c\"").out == "a\tb\u{1b}[1m  c\n")
    let shell = try TerminalShell(["--lang", "en"])
    try shell.type("echo \"a\\u{1b}[1mb\"\r")
    try shell.wait(for: "a^[[1mb")
  }

  /// The lines of all `-c` are numbered on, as one script.
  @Test func linesOfAllCOptionsAreNumberedOn() throws {
    let result = try scriptedHome.run("--tap", "--keep-going", "-c", "lst", "-c", "# nothing\nlst")
    #expect(result.out.contains("line: 1\n") && result.out.contains("line: 3\n"), "\(result)")
  }

  /// The last failure is explained in another process too, also that of a read, and not an older write.
  @Test func lastFailureIsExplainedInAnotherProcess() throws {
    let home = try TemporaryHome()
    func run(_ arguments: String...) throws -> PipedProgram.Result {
      try openmarket(["--home", home.path + "/home", "--lang", "en"] + arguments)
    }
    #expect(try run("-c", "raw PATCH /api/products/138 a=1 yes").code == 1)
    #expect(try run("-c", "explain").out.contains("PATCH /api/products/138"))
    #expect(try run("-c", "get /api/products/999999").code == 1)
    #expect(try run("-c", "explain").out.contains("GET /api/products/999999"))
    #expect(try run("help").out == run("-c", "help").out)
  }
}
