import EmbeddedMarket
import Foundation
import Synchronization
import TestSupport
import Testing

/// Sentences of README, the articles and the help, each with lines that show what the program does.
///
/// The sentence must stand in its source, so that a changed one is compared again.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct DocumentedBehaviorTests {
  /// A run of the program with lines, in the same home as the runs before.
  struct Run: Sendable {
    var lines: [String]
    /// Texts of standard output, in this order.
    var out: [String] = []
    /// Texts of standard error, in this order.
    var err: [String] = []
    /// Texts that neither contains.
    var not: [String] = []
    var code: Int32 = 0

    init(_ lines: String..., out: [String] = [], err: [String] = [], not: [String] = [], code: Int32 = 0) {
      (self.lines, self.out, self.err, self.not, self.code) = (lines, out, err, not, code)
    }
  }

  struct Claim: Sendable, CustomTestStringConvertible {
    /// The file, or a line such as `help search`.
    var source: String
    var sentence: String
    /// The responses of a server with one product, instead of the built-in market.
    var server: (@Sendable (RecordingServer.Request) -> String?)?
    /// The number of requests that write to that server.
    var writes: Int?
    /// The folders in the home after the last run.
    var folders: Set<String>?
    var options: [String]
    var runs: [Run]
    var testDescription: String { source + ": " + sentence }

    init(
      _ source: String, _ sentence: String, server: (@Sendable (RecordingServer.Request) -> String?)? = nil,
      writes: Int? = nil, folders: Set<String>? = nil, options: [String] = [], _ runs: Run...
    ) {
      (self.source, self.sentence, self.server, self.writes, self.runs) = (source, sentence, server, writes, runs)
      (self.folders, self.options) = (folders, options)
    }
  }

  private static let language = "Sources/CommandLanguage/CommandLanguage.docc/Language.md"
  private static let notations = "Sources/CommandLanguage/CommandLanguage.docc/Notations.md"
  private static let safety = "Sources/WriteJournal/WriteJournal.docc/Safety.md"

  /// Writes get a response of their own, reads that of the small market.
  private static func writesGet(_ response: String) -> @Sendable (RecordingServer.Request) -> String? {
    { $0.line.hasPrefix("GET ") ? SmallMarket.answer($0) : response }
  }

  /// A job that is run again has a new home, which doesn't know what the first one has made: its first change that would be
  /// made twice says so, once.
  @Test(
    arguments: [
      (["CI": "true"], "patch 138 stock+=1 yes", true), (["CI": "1"], "each 138: patch _ stock+=1 yes", true),
      (["CI": "true"], "patch 138 stock=9 yes", false), (["CI": "true"], "rm 138 yes", false),
      (["CI": "false"], "patch 138 stock+=1 yes", false), ([:], "patch 138 stock+=1 yes", false),
    ] as [([String: String], String, Bool)])
  func newHomeIsNamedInContinuousIntegration(_ variables: [String: String], _ line: String, _ isSaid: Bool) throws {
    let sentence = "the first create or computed edit of a new home says that earlier jobs are not known"
    let article = try String(contentsOf: Self.top.appending(path: Self.safety), encoding: .utf8)
    #expect(Self.joined(article).contains(Self.joined(sentence)))
    let home = try TemporaryHome()
    let note = "note: This home folder is new"
    let said = try openmarket(["--home", home.path + "/home", "-c", line], environment: variables)
    #expect(said.code == 0 && said.err.contains(note) == isSaid, "\(said)")
    let again = try openmarket(["--home", home.path + "/home", "-c", "patch 138 stock+=1 yes"], environment: variables)
    #expect(!again.err.contains(note), "\(again)")
  }

  private static let claims = promises + exitCodes + values + commands + again

  private static let promises: [Claim] = [
    Claim(
      "README.md", "No write is silently lost or applied twice, whatever is killed or cut.",
      Run("patch 138 stock=44 yes", "show 999999", code: 1), Run("patch 138 stock=10 yes"),
      Run("patch 138 stock=44 yes", "show 138 stock as csv", out: ["stock\n44\n"]),
      Run("each 138: patch _ stock+=5 yes", "show 138 stock as csv", out: ["stock\n49\n"])),
    Claim(
      "README.md", "What the preview shows is exactly what is written.",
      Run("patch 138 stock=44 yes", "show 999999", code: 1), Run("patch 138 stock=11 yes"),
      Run("dry patch 138 stock=44", err: ["stock 11 -> 44"]),
      Run("patch 138 stock=44 yes", "show 138 stock as csv", out: ["stock\n44\n"], err: ["stock 11 -> 44"])),
    Claim(
      "README.md", "Writes can be undone, unless somebody else changed the field since; raw requests cannot.",
      Run("patch 138 stock=44 yes", "undo yes", "show 999999", code: 1), Run("forget r1 yes"),
      Run("patch 132 stock=77 yes"),
      Run("undo yes", "show 132 stock as csv", "show 138 stock as csv", out: ["stock\n41\n", "stock\n25\n"])),
    Claim(
      "README.md", "Writes can be undone, unless somebody else changed the field since; raw requests cannot.",
      options: ["--api", "camp2"], Run("patch 48 images='\(top.path)/Examples/cup.png' yes"),
      Run("undo yes", "show 48 images as json", out: ["},{"])),
    Claim(
      "README.md",
      "Secrets are stored in one file and masked elsewhere; `serve` and `vendors` print practice ones.",
      Run(
        "trace patch 138 stock=9 yes", "log show 1", "calls", "calls show 2", "whoami", "session", "history",
        "curl rm 138",
        not: [EmbeddedMarket.demoVendor.secret]),
      Run("vendors as csv", out: [EmbeddedMarket.demoVendor.secret])),
    Claim(
      "help vendors", "lists number, name and number of products; of the built-in market also identifier and secret",
      Run("vendors as csv", out: ["vendor_id,", "name", "products", "identifier", "secret"])),
    Claim(
      "Sources/ShellRuntime/ShellRuntime.docc/Files.md",
      "A home has four folders: `config`, `state`, `data` and `cache`",
      folders: ["config", "state", "data"], Run("snapshot", "set page-size 5")),
    Claim(
      "Sources/ShellRuntime/ShellRuntime.docc/Files.md",
      "HAR files, and `.openmarket` of a pulled folder | this user alone",
      Run("export where id=138 columns id to ~/x.csv", "calls as har to ~/x.har", "pull ~/shop 138"),
      Run(
        "echo go | sh -c 'cd; touch y; stat -c %a x.csv y | uniq | wc -l; stat -c %a x.har shop/.openmarket'",
        out: ["1\n600\n700\n"])),
  ]

  private static let exitCodes: [Claim] = [
    Claim(
      language, "3 | no response came from the server; the command applied nothing", server: { _ in "" }, writes: 0,
      Run("show 42", code: 3), Run("patch 42 stock=9 yes", code: 3)),
    Claim(
      language, "the response cannot be read",
      server: { _ in reply("500 Internal Server Error", "<html>oops</html>", type: "text/html") },
      Run("show 42", err: ["500", "oops"], not: ["empty response", "Cannot reach"], code: 1)),
    Claim(
      language, "the response cannot be read",
      server: { _ in reply("200 OK", "<html>Welcome</html>", type: "text/html") },
      Run("show 42", not: ["Cannot reach"], code: 1)),
    Claim(
      language, "or a write had no effect", server: writesGet(reply("204 No Content")),
      writes: 1,
      Run("patch 42 stock=9 yes", not: ["could not be reached"], code: 1)),
    Claim(
      safety, "a complete 2xx to a patch or a delete, whatever its body says",
      server: writesGet(reply("200 OK", "<p>")),
      writes: 1, Run("patch 42 stock=9 yes", code: 1), Run("log 1 as csv", out: ["not-applied"])),
    Claim(
      safety, "without a response `notApplied`, and it is sent again.", server: writesGet(""), writes: 3,
      Run("patch 42 stock=9 yes", err: ["Sending again, attempt 2 of 3.", "attempt 3 of 3."], code: 3)),
    Claim(
      safety, "429 | waited for within a minute, else `deferred`; exit code 1; see below",
      server: writesGet("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 300\r\nContent-Length: 0\r\n\r\n"), writes: 1,
      Run("patch 42 stock=9 yes", code: 1), Run("log 1 as csv", out: [",refused,"]), Run("status", out: ["1 refused"])),
  ]

  private static let values: [Claim] = [
    Claim(
      language, "`let c = $a + 1` computes",
      Run("let a = 1234567890123456789; let c = $a + 1; echo $c", out: ["1234567890123456790\n"])),
    Claim(
      language, "everything in quotes is a text",
      Run("let a = '1+2'; let b = 1+2; echo $a $b", out: ["1+2 3\n"])),
    Claim(
      language, "is an expression is computed or refused (2); a text is quoted or one word",
      Run("let a = 5 % 2", code: 2), Run("let a = hello world", code: 2), Run("let a = @1", code: 2),
      Run("let a = max(1,2,3); let b = round(2.5); echo $a $b", out: ["3 "]),
      Run("let a = 6.0E7 + 1; echo $a", out: ["60000001\n"]), Run("let a = 'hello'; echo $a", out: ["hello\n"])),
    Claim(
      language, "A path that is not valid is an error (2).", Run("let p = get /api/products/138; echo $p..s", code: 2),
      Run("let p = get /api/products/138; echo $p.", code: 2)),
    Claim(
      language, "`${name.field}` ends before other text: `${p.name}.txt`",
      Run("let p = show 138; echo ${p.id}.txt", out: ["138.txt\n"])),
    Claim(
      language, "`assert status $code: LINE` compares the status with a variable.",
      Run("let code = 404; assert status $code: show 999999"),
      Run("let code = 200; assert status $code: show 999999", code: 6)),
    Claim(
      language, "A path that begins with a bracket is always one into the JSON: `$p[\"status\"]`, `$p[\"body\"]`",
      server: { _ in reply("200 OK", #"{"status":"open","body":"text","n":5}"#) },
      Run("let p = get /x; echo $p.status $p[\"status\"] $p[\"body\"] $p.body $p.n", out: ["200 open text text 5\n"])),
    Claim(
      language, "The values of a header that comes several times are joined with `, ` (RFC 9110).",
      server: { _ in "HTTP/1.1 200 OK\r\nX-Multi: a\r\nX-Multi: b\r\nContent-Length: 2\r\n\r\n{}" },
      Run("let p = get /x; echo $p.headers.X-Multi", out: ["a, b\n"])),
  ]

  private static let commands: [Claim] = [
    Claim(
      "help curl", "prints the requests of a command; only reads that the next request depends on are sent",
      server: SmallMarket.answer, writes: 0,
      Run("curl patch 42 stock=9", "curl rm 42", out: ["curl", "PATCH", "\"stock\":9"])),
    Claim(
      "help curl", "raw curl … the same, always sent as it is", server: SmallMarket.answer,
      Run("raw curl -s URL/healthChecker", out: ["OK"])),
    Claim(
      "help curl", "curl -X PATCH … yes yes after it answers the question", server: writesGet(reply("200 OK", "{}")),
      writes: 1, Run("curl -X PATCH URL/other -d '{}' yes", out: ["{}"])),
    Claim(
      notations, "`&&`, `\\|\\|`, `<>`, `==`, `WHERE`, `AND`, `LIMIT` and other options in capitals",
      Run("ls WHERE stock=0 AND price>1 LIMIT 1 COLUMNS stock as csv", out: ["stock\n0\n"])),
    Claim(
      notations, "A line with a secret in it is refused, and in no history.", server: SmallMarket.answer, writes: 0,
      Run(
        "curl -X PATCH URL/api/products/42 -d '{\"stock\":5,\"secret\":\"abcdefgh\"}' yes", not: ["abcdefgh"], code: 2),
      Run("raw PATCH /api/products/42 '{\"secret\":\"abcdefgh\"}' yes", not: ["abcdefgh"], code: 2)),
    Claim(
      language, "Without a terminal, `yes` or `--yes` answers it, also for many deletes; else exit code 4.",
      Run("rm mine", code: 4), Run("rm mine yes"), Run("ls mine as jsonl", not: ["\"id\""])),
    Claim(
      notations, "`show blue bag` | the one product with that in its name, in `open` also in its vendor's name",
      Run("show 먹색 요리책 as csv", out: ["\n138,먹색 요리책,"]),
      Run("show Cotton T-shirt, Sage as csv", out: [",\"Cotton T-shirt, Sage\","])),
    Claim(
      "help search",
      "In edition open the server searches the names of products and vendors; elsewhere the whole list is read and the names of products are searched.",
      Run("search 구름상점 as csv", out: [",구름상점,"])),
    Claim(
      "help explain", "Explains the last request that failed, also of an earlier process, or a log entry",
      server: { _ in reply("404 Not Found", #"{"message":"no such product"}"#) }, Run("get /api/products/42", code: 1),
      Run("explain", out: ["GET /api/products/42", "404: no such product"])),
    Claim(
      "help explain", "Explains the last request that failed, also of an earlier process, or a log entry",
      server: { _ in "" }, Run("get /api/products/42", code: 3),
      Run("explain", out: ["GET /api/products/42", "none (", "A read changes nothing"])),
    Claim(
      language, "`products` | the fields except `images`, in the newest snapshot",
      Run("snapshot", "sql select * from products limit 1 as csv", out: ["id,name,description,price"], not: ["images"])),
    Claim(
      language, "`to -` is the standard output.",
      Run("ls columns id limit 2 to -", out: [" id\n141\n140\n"]),
      Run("export where id=138 columns id,stock to -", out: ["id,stock\n138,25\n"])),
    Claim(
      "help echo", "pipes the text to a program",
      Run("let p = show 138; echo $p.id | tr 1 2; echo 'a|b'; echo \"a\tb\" | cut -f2", out: ["238\n", "a|b\n", "b\n"])),
  ]

  private static let again: [Claim] = [
    Claim(
      language, "After a run has ended, the same line is a new run",
      Run("each 138: patch _ stock+=5 yes"),
      Run("each 138: patch _ stock+=5 yes", "show 138 stock as csv", out: ["stock\n35\n"])),
    Claim(
      language, "Elsewhere the line is held back: exit code 4, code `interrupted-run`, nothing is sent.",
      Run("each 138: patch _ stock+=5 yes", "show 999999", code: 1),
      Run("each 138: patch _ stock+=5 yes", code: 4), Run("forget r1 yes"),
      Run("each 138: patch _ stock+=5 yes", "show 138 stock as csv", out: ["stock\n35\n"])),
    Claim(
      language, "computed edits (`stock+=1`), creates, raw requests that write",
      server: writesGet(reply("200 OK", "{}")), writes: 2,
      Run("raw PATCH /api/products/42 '{\"stock\":9}' yes", "show 999999", code: 1),
      Run("raw PATCH /api/products/42 '{\"stock\":9}' yes", code: 4),
      Run("raw PATCH /api/products/42 '{\"stock\":9}' yes again")),
    Claim(
      language, "a create of a plan | the plan's `id` and the digest of the change",
      Run("plan patch 138 stock=20 to ~/night.plan", "apply ~/night.plan yes", "show 999999", code: 1),
      Run(
        "plan patch 138 stock=50 to ~/night.plan replace", "apply ~/night.plan yes", "show 138 stock as csv",
        out: ["50\n"])),
    Claim(
      "Sources/Commands/Commands.docc/Folders.md", "What changed only in the file stays.",
      Run("pull ~/shop 138", "echo go | sh -c \"sed -i 's/^stock = .*/stock = 7/' ~/shop/products/000138*\""),
      Run("patch 138 price=18000 yes", "pull ~/shop"),
      Run("status ~/shop", out: ["stock 25 -> 7"], not: ["price"]),
      Run("push ~/shop yes", "show 138 price as csv", "show 138 stock as csv", out: ["18000\n", "7\n"])),
    Claim(
      language, "a header and rows (RFC 4180); CRLF in a CSV file, LF elsewhere",
      Run("ls limit 1 columns id to ~/a.tsv", "ls limit 1 columns id to ~/a.csv"),
      Run("echo go | sh -c 'cd; for f in a.tsv a.csv; do tr -cd \"\\r\" < $f | wc -c; done'", out: ["0\n2\n"])),
    Claim(
      language, "| a delete by this home | a read | `unchanged` |", Run("rm 138 yes"),
      Run("rm 138 yes", "rm 138,132 yes", out: ["138  unchanged", "132  done"], err: ["deleted before"])),
    Claim(
      language, "a variable that is null is a value of another type", Run("let a = null; assert $a = 5", code: 2),
      Run("let a = null; assert $a = null")),
    Claim(
      "help session", "every value and its source",
      Run(
        "profile demo apply=person two=on settle=9 http=ask", "session as csv",
        out: ["settle,9", "apply,person", "two,on", "http,ask"])),
    Claim(
      "help exit-codes", "unusual values, an existing file", Run("echo go | sh -c 'echo a > ~/t.csv'"),
      Run("ls to ~/t.csv", err: ["already exists"], code: 4)),
    Claim(
      language, "a list was not read completely",
      server: { request in
        guard request.line.hasPrefix("GET /api/products?") else { return SmallMarket.answer(request) }
        return reply("200 OK", SmallMarket.page.replacing("\"id\":42", with: "\"id\":\"x\""))
      }, Run("ls all as jsonl", code: 7)),
  ]

  @Test func helpAsAnArgumentIsHelpAtThePrompt() throws {
    let manual = try openmarket(["-c", "help"])
    #expect(manual.out.hasPrefix("Getting started\n") && manual.code == 0)
    #expect(try openmarket(["help"]).out == manual.out)
    #expect(try openmarket(["help", "import"]).out == openmarket(["-c", "help import"]).out)
  }

  private static let top = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

  /// The text without line breaks and repeated blanks, which depend on the width.
  private static func joined(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test(arguments: claims.indices) func documentedBehaviorIsThatOfTheProgram(_ index: Int) throws {
    let claim = Self.claims[index]
    let text =
      claim.source.hasPrefix("help ")
      ? try openmarket(["-c", claim.source]).out
      : try String(contentsOf: Self.top.appending(path: claim.source), encoding: .utf8)
    let isThere = Self.joined(text).contains(Self.joined(claim.sentence))
    #expect(isThere, "\(claim.source) does not say: \(claim.sentence)")
    let home = try TemporaryHome()
    let server = try claim.server.map { try RecordingServer($0) }
    let options = server.map { ["--url", $0.url, "--api", "open"] } ?? claim.options
    var environment = server == nil ? [:] : SmallMarket.vendor
    environment["HOME"] = home.path
    for run in claim.runs {
      let words = run.lines.flatMap { ["-c", $0.replacing("URL/", with: (server?.url ?? "") + "/")] }
      let result = try openmarket(["--home", home.path + "/home"] + options + words, environment: environment)
      #expect(result.code == run.code, "\(run.lines)\n\(result.out)\(result.err)")
      for (expected, printed) in [(run.out, result.out), (run.err, result.err)] {
        var rest = Substring(printed)
        for part in expected {
          let place = rest.firstRange(of: part)
          #expect(place != nil, "\(run.lines): no '\(part)' in\n\(printed)\(result.err)")
          rest = rest[(place?.upperBound ?? rest.startIndex)...]
        }
      }
      for part in run.not {
        #expect(!result.out.contains(part) && !result.err.contains(part), "\(run.lines): \(part)")
      }
    }
    if let writes = claim.writes { #expect(server?.writes.count == writes) }
    if let folders = claim.folders {
      #expect(try Set(FileManager.default.contentsOfDirectory(atPath: home.path + "/home")) == folders)
    }
  }
}
