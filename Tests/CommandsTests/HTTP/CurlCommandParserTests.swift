import CommandLanguage
import Commands
import EmbeddedMarket
import Foundation
import MarketAPI
import Platform
import ServerTesting
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// Lines of curl from browsers, API consoles and READMEs are sent byte for byte as curl sends them, except for the
/// headers that identify the client.
@Suite(.timeLimit(Trial.limit), .serialized) struct CurlCommandParserTests {
  /// `ADDR` is the recording server, and `FOLDER` a folder with the files.
  static let lines: [String] = [
    "curl ADDR/", "curl ADDR", "curl ADDR/api/products", "curl 'ADDR/api/products?page_no=1&items_per_page=2'",
    "curl \"ADDR/a?x=1&y=2\"", "curl -s ADDR/a", "curl -sS -L ADDR/a", "curl -sSL ADDR/a",
    "curl --silent --location ADDR/a",
    "curl -i ADDR/a", "curl -k ADDR/a", "curl --compressed ADDR/a", "curl -X GET ADDR/a", "curl -XGET ADDR/a",
    "curl --request GET ADDR/a", "curl --request GET --url ADDR/a", "curl -I ADDR/a", "curl --head ADDR/a",
    "curl -H 'Accept: application/json' ADDR/a", "curl -H \"Accept: application/json\" -H \"X-Test: a b\" ADDR/a",
    "curl -HX-Test:1 ADDR/a", "curl -A 'Mozilla/5.0 (X11)' ADDR/a", "curl -e https://shop.example/ ADDR/a",
    "curl -b 'session=abc; theme=dark' ADDR/a", "curl -u name:word ADDR/a", "curl --user 'name:word' ADDR/a",
    "curl -G -d q=1 -d 'r=a%20b' ADDR/a", "curl -G ADDR/a --data-urlencode 'search=우유 병' -d page=1",
    "curl --get --data 'x=1' 'ADDR/a?y=2'", "curl ADDR/a%2Fb/c?d=%20e+f", "curl 'ADDR/a/../b/./c'",
    #"curl 'ADDR/a?foo\[\]=1&b\{c\}=2'"#, "curl 'ADDR/a?foo[]=1'",
    "curl --path-as-is 'ADDR/a/../b'", "curl -g 'ADDR/a?x[]=1&y={2}'", "curl 'ADDR/a#fragment'",
    "curl -X DELETE ADDR/api/products/42", "curl -X OPTIONS ADDR/a", "curl -d 'a=1' ADDR/a",
    "curl -d a=1 -d b=2 ADDR/a",
    "curl -X PUT -d 'a=1' ADDR/a", "curl --data-raw '@not a file' ADDR/a", "curl --data-binary $'line\\nline' ADDR/a",
    "curl -d @FOLDER/two-lines.txt ADDR/a", "curl --data-binary @FOLDER/two-lines.txt ADDR/a",
    "curl --data-urlencode 'name=a b&c' ADDR/a", "curl --data-urlencode name@FOLDER/two-lines.txt ADDR/a",
    "curl --data-urlencode '=a/b' ADDR/a",
    "curl -H 'Content-Type: application/json' -d '{\"price\":1}' ADDR/a",
    "curl -X PATCH ADDR/api/products/42 -H 'Content-Type: application/json' -d '{\"price\":1,\"name\":\"It'\\''s\"}'",
    "curl --json '{\"a\":1}' ADDR/a", "curl --json '{\"a\":1}' -X PUT ADDR/a", "curl --json @FOLDER/body.json ADDR/a",
    "curl -X POST ADDR/a", "curl -X POST -d '' ADDR/a",
    "curl -F 'name=\u{301}x' ADDR/a", "curl --data-urlencode 'a=\u{301}b@c' ADDR/a", "curl -F name=cup ADDR/a",
    "curl -F name=cup -F 'text=a b' ADDR/a", "curl -F 'images=@FOLDER/cup.png' ADDR/a",
    "curl -F 'images=@FOLDER/cup.png;type=image/png;filename=a.png' -F 'params={\"price\":1};type=application/json' ADDR/a",
    "curl -F 'text=<FOLDER/two-lines.txt' ADDR/a", "curl --form-string 'text=@home;type=x' ADDR/a",
    "curl --location --request POST 'ADDR/a' \\\n--header 'Content-Type: application/json' \\\n--data-raw '{\n    \"a\": [1, 2]\n}'",
    "curl 'ADDR/a' \\\n  -H 'accept: */*' \\\n  -H 'accept-language: ko-KR,ko;q=0.9' \\\n  -H 'user-agent: Mozilla/5.0' \\\n"
      + "  -H 'cookie: a=b' \\\n  --data-raw $'{\"text\":\"it\\'s \\u0021\"}' \\\n  --compressed",
    "curl 'ADDR/graphql' -H 'content-type: application/json' --data-raw '{\"query\":\"{ a { b } }\"}' --compressed --insecure",
    "$ curl -v -m 10 --retry 2 ADDR/a",
    "curl -o /dev/null -s -w '%{http_code}\\n' ADDR/a",
    "curl -H 'X-Twice: 1' -H 'X-Twice: 2' -H 'x-Low: a' ADDR/a", "curl -H 'Accept:' ADDR/a",
    "curl -H 'X-Empty;' ADDR/a",
    "curl -H 'Authorization: Bearer abc' -H 'Accept-Language: ko' ADDR/api/products/138",
    "curl -H 'Cache-Control: max-age=0' -H 'Accept-Encoding: identity' ADDR/api/products", "curl --http1.1 -f ADDR/a",
    "curl -D - --connect-timeout 5 --max-time 20.5 ADDR/a", "curl -G -d @FOLDER/pair.txt -d x=1 ADDR/a",
    "curl -d a=1 --data-urlencode 'b=c d' --data-binary @FOLDER/two-lines.txt ADDR/a", "curl SCHEMELESS/a?x=1",
    "curl 'SCHEMELESS/a' -H 'X-A: 1'", "curl -X PATCH -H 'identifier: someone-else' -d stock=1 ADDR/api/products/1",
  ]

  @Test func pastedLineSendsTheBytesOfCurl() async throws {
    #expect(Self.lines.count >= 60)
    try await Sandbox.with(adjusting: { $0.program.assumesYes = true }) { sandbox in
      try sandbox.writePictures()
      try sandbox.writeFile("two-lines.txt", "one line\nand=another&\r\n")
      try sandbox.writeFile("pair.txt", "and=another\r\n")
      try sandbox.writeFile("body.json", "{\n \"a\": 1\n}\n")
      let server = try await TinyServer(
        always: .sayAndClose(
          "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{}"))
      for line in Self.lines {
        let whole = line.replacing("ADDR", with: "http://127.0.0.1:\(server.port)").replacing(
          "FOLDER", with: sandbox.folder
        ).replacing("SCHEMELESS", with: "127.0.0.1:\(server.port)")
        let before = server.requests.count
        try await Self.bash(whole.hasPrefix("$ ") ? String(whole.dropFirst(2)) : whole)
        let said = await sandbox.run(whole)
        let requests = server.requests.dropFirst(before)
        guard requests.count == 2 else {
          Issue.record("\(requests.count) requests of \(line)\n\(said)")
          continue
        }
        let (theirs, ours) = (Sent(requests[before]), Sent(requests[before + 1]))
        #expect(theirs == ours, "\(line)\n\(said)")
      }
      await server.stop()
    }
  }

  /// Quotes and escapes of the shell.
  @Test func escapesAreReadAsByBash() async throws {
    try await compare([
      #"curl -d $'\355\225\234 \xC3\xA9 \u00e9\U0001F600' ADDR/a"#,
      #"curl -d $'\e[0m\E\cA\c?\c\\\a\b\f\v' ADDR/a"#,
      #"curl -d $'\?\q\x\u\414\101\1012' ADDR/a"#, #"curl -d $'\xC3'$'\xA9'$"b" ADDR/a"#,
    ])
  }

  /// URLs with characters that a URL may not contain.
  @Test func validEscapesOfAURLAreKept() async throws {
    try await compare([
      #"curl -g 'ADDR/x?a=[1]{b}"^|'"#, "curl 'ADDR/x%?a=100%&b=%41%20c&d=%zz'",
      "curl -g 'ADDR/{a}?b=[]&c=%5B%ed%95%9c'", "curl HTTP://LOCAL/", "curl 'Http://LOCAL/a?b'",
    ])
  }

  /// Headers that are set by several options.
  @Test func headersAreSentAsByCurl() async throws {
    try await compare([
      "curl -u a:b -H 'Authorization: Bearer q' ADDR/", "curl -H 'authorization: Bearer q' -u a:b ADDR/",
      "curl -u a:b -H 'Authorization:' ADDR/", "curl --oauth2-bearer t -u a:b ADDR/",
      "curl --oauth2-bearer t -H 'Authorization: Bearer q' ADDR/", "curl -H 'cookie: a=b' -b c=d ADDR/",
      "curl -b c=d -b e=f ADDR/", "curl -H 'Cookie: a=b' -H 'Cookie: c=d' ADDR/", "curl -H 'Cookie:' -b c=d ADDR/",
      "curl -A x -H 'User-Agent: y' ADDR/", "curl -A x -A z ADDR/", "curl -e x -H 'Referer: y' -e z ADDR/",
      "curl --compressed -H 'Accept-Encoding: identity' ADDR/", "curl -H 'Accept: a/b' -H 'Accept: c/d' ADDR/",
      "curl -H 'Content-Type: a/b' -H 'Content-Type: c/d' ADDR/",
      "curl -H 'Content-Type: c/d' -H 'Content-Type: a/b' -d x ADDR/", "curl --json '{}' -H 'content-type: a/b' ADDR/",
      "curl -H 'Content-Type: multipart/form-data' -F a=b ADDR/",
    ])
  }

  /// Prefixes that print a request print it, and send nothing.
  @Test(arguments: [
    ("swift curl ADDR/a", "import Foundation"), ("swift raw curl ADDR/a", "import Foundation"),
    ("swift curl -X POST -d a=1 ADDR/a", "import Foundation"), ("curl curl ADDR/a?x=1", "/a?x=1"),
    ("curl raw curl -X POST -d a=1 ADDR/a", "-X POST"), ("raw curl curl ADDR/a", "curl \\"),
    ("dry curl -X POST -d a=1 ADDR/a", "POST"),
    ("watch 5 curl -X POST -d a=1 ADDR/a", "watch cannot repeat a command that changes products."),
    ("watch  5 raw curl -X POST ADDR/a", "watch cannot repeat a command that changes products."),
    ("raw watch 5 curl -X POST ADDR/a", "watch cannot repeat a command that changes products."),
  ])
  func prefixTakesAPastedLine(line: String, output: String) async throws {
    try await Sandbox.with(adjusting: { $0.program.assumesYes = true }) { sandbox in
      let server = try await TinyServer(
        always: .sayAndClose("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"))
      let said = await sandbox.run(line.replacing("ADDR", with: "http://127.0.0.1:\(server.port)"))
      #expect(said.contains(output), "\(said)")
      // The types of a Swift program need the response to a read.
      #expect(server.requests.allSatisfy { line.hasPrefix("swift") && $0.hasPrefix("GET ") }, "\(said)")
      await server.stop()
    }
  }

  /// The fields of forms with their options.
  @Test func formFieldIsReadAsByCurl() async throws {
    let fields = [
      "a=b;type=text/plain", "a=b;filename=x.html", "a=b;filename=x.bin", "a=<FOLDER/p.html", "a=<FOLDER/f.txt",
      #"f=@FOLDER/f.txt;filename="a\"b.txt""#, "f=@FOLDER/f.txt;type=text/plain", "f=@FOLDER/f.txt;filename=x.html",
      "f=@FOLDER/f.txt;filename=x.q", "f=@FOLDER/p.html;type=text/html;charset=utf-8",
      "a=b;type=text/html; charset=utf-8", #"a="b;c\\ \"d""#, "a= b ", #"a="b"#, #"a=b;type="text/html""#, "a=",
      "a=;type=text/html", #"f=@"FOLDER/f.txt""#, "a=b;", #"a=b; type=text/html ;filename= "q" "#, "a=b;TYPE=text/html",
      "a=b;filename=x;type=a/b;filename=y", " a=b", "a=b;type=text/html;x=y;filename=q", "f=@FOLDER/f.txt;filename=",
      "a=b;type=text/html , x ; y=z",
      #"params={"name":"a,b"};type=application/json"#, "f=@FOLDER/f.txt;filename=d/e.txt",
    ]
    try await compare(fields.map { "curl -F '\($0)' ADDR/a" })
  }

  /// Compares the request of each line with that of curl.
  private func compare(_ lines: [String]) async throws {
    try await Sandbox.with(adjusting: { $0.program.assumesYes = true }) { sandbox in
      try sandbox.writeFile("f.txt", "hello")
      try sandbox.writeFile("p.html", "<p>\n")
      let server = try await TinyServer(
        always: .sayAndClose("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"))
      for line in lines {
        let whole = line.replacing("ADDR", with: "http://LOCAL").replacing("LOCAL", with: "127.0.0.1:\(server.port)")
          .replacing("FOLDER", with: sandbox.folder)
        let before = server.requests.count
        try await Self.bash(whole)
        let said = await sandbox.run(whole)
        let requests = server.requests.dropFirst(before)
        guard requests.count == 2 else {
          Issue.record("\(requests.count) requests of \(line)\n\(said)")
          continue
        }
        #expect(Sent(requests[before]) == Sent(requests[before + 1]), "\(line)\n\(said)")
      }
      await server.stop()
    }
  }

  /// A variable is one of `let` or the environment, and is expanded as in a shell that has it.
  @Test(arguments: [
    "curl -H \"X-Who: $who\" ADDR/a", "curl -u \"$who:pass\" ADDR/a", "curl -u $who ADDR/a",
    "curl \"ADDR/a/$who/b?x=${who}&y=1\"", "curl -d \"a=$who\" ADDR/a", "curl -F \"a=$who\" ADDR/a",
    "curl -H 'X-Who: $who' ADDR/a", "curl -H \"X-Home: $HOME\" ADDR/a",
    "curl --data-urlencode \"a=$two words\" ADDR/a", "curl -F \"$who=$two;filename=$who.txt\" ADDR/a",
    "curl \"ADDR/a?x=5%2$who\"", "curl -G --data-urlencode \"a=$two\" ADDR/a",
  ])
  func shellVariablesAreExpanded(line: String) async throws {
    func settle(_ context: inout CommandContext) {
      context.program.assumesYes = true
      context.program.environment["HOME"] = "/home/kim"
    }
    try await Sandbox.with(adjusting: settle) { sandbox in
      let server = try await TinyServer(
        always: .sayAndClose("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"))
      let whole = line.replacing("ADDR", with: "http://127.0.0.1:\(server.port)")
      try await Self.bash("who=kim; two='우유 & 빵'; HOME=/home/kim; " + whole)
      _ = await sandbox.run("let who=\"kim\"")
      _ = await sandbox.run("let two=\"우유 & 빵\"")
      let said = await sandbox.run(whole)
      try #require(server.requests.count == 2, "\(said)")
      #expect(Sent(server.requests[0]) == Sent(server.requests[1]), "\(said)")
      await server.stop()
    }
  }

  /// Lines that are rejected, or that need a shell.
  private static let unsupported: [(line: String, reason: String)] = [
    (
      "curl -d '{\"price\":1,\"secret\":\"hunter2hunter2\"}' http://127.0.0.1:1/a",
      "Do not type a secret on the command line"
    ),
    ("curl -d 'secret=hunter2hunter2' http://127.0.0.1:1/a", "Do not type a secret on the command line"),
    ("curl -F password=hunter2hunter2 http://127.0.0.1:1/a", "Do not type a secret on the command line"),
    ("curl -H 'secret: hunter2hunter2' http://127.0.0.1:1/a", "Do not type a secret on the command line"),
    ("curl -T file http://127.0.0.1:1/a", "Unsupported curl option: -T."),
    ("curl --proxy http://p http://127.0.0.1:1/a", "Unsupported curl option: --proxy"),
    ("curl http://127.0.0.1:1/a http://127.0.0.1:1/b", "two URLs"),
    ("curl -s", "contains no URL"),
    ("curl -d \"$(printf %s \"$HOME\" | sed 's/a/b/g')\" http://127.0.0.1:1/a", "uses shell features"),
    ("curl -d $(printf %s \"$HOME\" | sed 's/[\"\\\\]/\\\\&/g') http://127.0.0.1:1/a", "uses shell features"),
    ("curl http://127.0.0.1:1/$(id)", "uses shell features that openmarket does not support"),
    ("curl http://127.0.0.1:1/a && rm -rf /", "uses shell features that openmarket does not support"),
    ("curl -X PURGE http://127.0.0.1:1/a", "Unsupported curl option: -X PURGE"),
    ("curl 'http://127.0.0.1:1/a[1-3]'", "curl would send several requests for [1-3]"),
    ("curl 'http://127.0.0.1:1/{137,138}'", "curl would send several requests for {137,138}"),
    ("curl 'http://127.0.0.1:1/a[1]'", "curl reads [ in a URL as the beginning or end of a range"),
    ("curl http://127.0.0.1:1/a?x=1&y=2", "is not quoted"),
    ("curl --http2 http://127.0.0.1:1/a", "Unsupported curl option: --http2"),
    ("curl -w '%{ssl_verify_result}' http://127.0.0.1:1/a", "Unsupported curl option: -w %{ssl_verify_result}"),
    ("curl -D head.txt http://127.0.0.1:1/a", "Unsupported curl option: -D head.txt"),
    ("curl -H 'Content-Length: 3' http://127.0.0.1:1/a", "The header Content-Length cannot be set."),
    ("curl -H 'Transfer-Encoding;' http://127.0.0.1:1/a", "The header Transfer-Encoding cannot be set."),
    ("curl -A '' http://127.0.0.1:1/a", "Unsupported curl option: -A ''."),
    (#"curl -d $'\xC3' http://127.0.0.1:1/a"#, "The escapes in $'…' are not UTF-8 text."),
    (#"curl -d $'\ud83d\ude00' http://127.0.0.1:1/a"#, "uses shell features that openmarket does not support"),
    (#"curl -d $'a\0b' http://127.0.0.1:1/a"#, "uses shell features that openmarket does not support"),
    (#"curl -d $'\x{41}' http://127.0.0.1:1/a"#, "uses shell features that openmarket does not support"),
    ("curl -H 'Content-Type: a/b' -F a=b http://127.0.0.1:1/a", "A form of -F cannot be sent as a/b."),
    (
      "curl -H 'Content-Type: multipart/form-data; boundary=x' -F a=b http://127.0.0.1:1/a",
      "A form of -F cannot be sent as multipart/form-data; boundary=x."
    ),
    (
      #"curl -F 'a=b;type=text/html;headers="X-A: b"' http://127.0.0.1:1/a"#,
      "Unsupported curl option: -F a=…;headers=."
    ),
    ("curl -F 'a=b;encoder=base64' http://127.0.0.1:1/a", "Unsupported curl option: -F a=…;encoder=."),
    (
      #"curl -F 'params={"name":"a,b;type=c"}' http://127.0.0.1:1/a"#,
      "curl would send only a part of the -F value params."
    ),
    ("curl -F 'a=b;c' http://127.0.0.1:1/a", "curl would send only a part of the -F value a."),
    (#"curl -F 'a="b"c' http://127.0.0.1:1/a"#, "curl would send only a part of the -F value a."),
    ("curl -F 'f=@a.txt,b.txt' http://127.0.0.1:1/a", "Unsupported curl option: -F f=@…,…."),
    ("curl -F 'a=(' http://127.0.0.1:1/a", "Unsupported curl option: -F a=(…."),
    ("curl -F 'f=@-' http://127.0.0.1:1/a", "Unsupported curl option: -F f=@-."),
    ("curl -F '=b' http://127.0.0.1:1/a", "Write curl -F values as name=value."),
    ("curl http://name:hunter2@127.0.0.1:1/a", "Do not type a secret on the command line"),
    ("curl -u name http://127.0.0.1:1/a", "Unsupported curl option: -u name"),
    ("curl -H \"X: $NOBODY_HAS_THIS\" http://127.0.0.1:1/a", "Unknown variable: $NOBODY_HAS_THIS."),
    ("curl -H 'X: 우유' http://127.0.0.1:1/a", "Cannot send the header X."),
    ("curl http://$NOBODY_HAS_THIS/a", "The host in the pasted line is a variable: http://$NOBODY_HAS_THIS."),
    (
      "curl -u \"$OPENMARKET_IDENTIFIER:$OPENMARKET_SECRET\" http://127.0.0.1:1/a",
      "Credentials are only sent to the current server, not to http://127.0.0.1:1."
    ),
    (
      "curl -X PATCH -d '{\"secret\":\"'\"$OPENMARKET_SECRET\"'\"}' http://127.0.0.1:1/a",
      "Credentials are only sent to the current server, not to http://127.0.0.1:1."
    ),
  ]

  @Test func unsupportedCurlLineIsRefused() async throws {
    try await Sandbox.with { sandbox in
      for (line, reason) in Self.unsupported {
        let said = await sandbox.run(line)
        #expect(said.replacing("`", with: "").contains(reason), "\(line)\n\(said)")
        #expect(!said.hasSuffix("= 0\n") && said.contains("\n= "), "\(line)\n\(said)")
        #expect(!said.contains("hunter2"), "\(line)\n\(said)")
      }
    }
  }

  /// A line that says more than `show`, `ls` or `patch` would send is sent as pasted, also to the market of the
  /// session.
  @Test(arguments: [
    ("curl -s ADDR/api/products/138", "same as: show 138"),
    ("curl -H 'Authorization: Bearer abc' ADDR/api/products/138", nil), ("curl -A x ADDR/api/products/138", nil),
    ("curl -b a=b ADDR/api/products/138", nil), ("curl -i ADDR/api/products/138", nil),
    ("curl -v ADDR/api/products/138", nil), ("curl -f ADDR/api/products/138", nil),
    ("curl -w '%{http_code}' ADDR/api/products/138", nil),
    ("curl -H 'Accept-Language: ko' 'ADDR/api/products?page_no=1&items_per_page=2'", nil),
  ])
  func lineWithMoreOptionsIsSentAsPasted(line: String, meaning: String?) async throws {
    let server = try await TinyServer(
      always: .sayAndClose("HTTP/1.1 404 Not Found\r\nX-Seen: 1\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"))
    var options = SessionOptions()
    (options.url, options.edition) = (server.url.absoluteString, .open)
    try await Sandbox.with(options: options) { sandbox in
      let whole = line.replacing("ADDR", with: server.url.absoluteString)
      let said = await sandbox.run(whole).replacing("`", with: "")
      #expect(said.contains("same as: ") == (meaning != nil))
      if let meaning { #expect(said.contains(meaning)) } else { #expect(server.requests.count == 1, "\(said)") }
      if line.contains("-i") { #expect(said.contains("X-Seen: 1") && said.contains("HTTP/1.1 404 Not Found")) }
      if line.contains("-v") { #expect(said.contains("! > GET /api/products/138") && said.contains("! < X-Seen: 1")) }
      if line.contains("-f") { #expect(!said.contains("{}")) }
      if line.contains("-w") { #expect(said.contains("404")) }
    }
    await server.stop()
  }

  /// The curl lines of the market's page: the vendor's own secret is used, and is in no record of the session.
  @Test func ownSecretIsSentAndNotStored() async throws {
    try await Sandbox.with(adjusting: { $0.program.assumesYes = true }) { sandbox in
      let line =
        "curl -X PATCH http://market/api/products/12 -H 'identifier: 4c1f8d60-4e9a-11ed-a200-1b7c9f2e5d31' "
        + "-H 'Content-Type: application/json' --data-raw '{\"stock\":9,\"secret\":\"open-the-market\"}' "
      let said = await sandbox.run(line)
      #expect(said.contains("same as: `patch 12 stock=9`"), "\(said)")
      #expect(await sandbox.run("show 12 stock as csv") == "stock\n9\n")
      // With an additional header it is sent as pasted, with the secret.
      _ = await sandbox.run(line + "-H 'X-More: 1'")
      let log = await sandbox.run("log as jsonl") + sandbox.run("history")
      #expect(!log.contains("open-the-market"), "\(log)")
      let other = await sandbox.run(line.replacing("open-the-market", with: "hunter2hunter2"))
      #expect(other.contains("Do not type a secret on the command line") && !other.contains("hunter2"), "\(other)")
    }
  }

  /// The lines that the program prints have the same effect when they are pasted, whatever the secret contains.
  @Test(arguments: ["0123456789abc", #"ZqSecretXy"7\$q1"#, #"\\"a'b"#])
  func printedLinesCanBePasted(secret: String) async throws {
    let vendor = VendorRequest(name: EmbeddedMarket.demoVendor.name, secret: secret)
    let variables = Sh.credentials(secret: secret)
    try await Sandbox.with(
      environment: variables, served: { $0.vendors = [vendor] }, adjusting: { $0.program.assumesYes = true }
    ) { sandbox in
      try sandbox.writePictures()
      func paste(_ command: String) async {
        let line = await sandbox.exactly(command)
        let said = await sandbox.run(line)
        #expect(!said.contains("= 1") && !said.contains(secret), "\(line)\n\(said)")
      }
      await paste("curl patch 12 stock=41")
      #expect(await sandbox.run("show 12 stock as json") == "{\"stock\":41}\n")
      await paste("curl new name='A \"lamp\"' description='a lamp; new' price=3500 currency=KRW images=~/cup.png")
      #expect(await sandbox.run("show 142 name as json") == #"{"name":"A \"lamp\""}"# + "\n")
      _ = await sandbox.run("patch 12 stock=5")
      await paste("log curl 1")
      #expect(await sandbox.run("show 12 stock as json") == "{\"stock\":41}\n")
    }
  }

  /// `-L` follows a redirect of a read.
  ///
  /// It sends no `Authorization` to another server.
  @Test func redirectsAreFollowed() async throws {
    try await Sandbox.with { sandbox in
      let server = try await TinyServer { number, _ in
        number == 1
          ? .sayAndClose("HTTP/1.1 302 Found\r\nLocation: /b?x=1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
          : .sayAndClose("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nhere")
      }
      let line = "curl -sL -w ' %{num_redirects} %{http_code}' http://127.0.0.1:\(server.port)/a"
      #expect(await sandbox.data(line).data == "here 1 200")
      #expect(server.requests.map { $0.prefix { $0 != "\r\n" } } == ["GET /a HTTP/1.1", "GET /b?x=1 HTTP/1.1"])
      await server.stop()
    }
  }

  /// A line with a password isn't saved in the history.
  @Test(arguments: [
    ("curl -u a:b http://x/", true), ("curl -sub:c http://x/", true), ("curl --user a http://x/", true),
    ("curl -b sid=1 http://x/", true), ("curl -H 'Authorization: Bearer x' http://x/", true),
    ("curl http://a:b@x/", true), ("curl -d secret=x http://x/", true), ("curl -s http://x/a?b=1", false),
    ("curl -X POST -d a=1 http://x/", false),
  ])
  func lineWithAPasswordIsNotStored(line: String, isSecret: Bool) {
    #expect(AllCommands.grammar.mayContainSecret(line) == isSecret)
  }

  private static func bash(_ line: String) async throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", line]
    process.environment = ["LC_ALL": "C.UTF-8", "PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    await withCheckedContinuation { done in
      DispatchQueue.global().async {
        process.waitUntilExit()
        done.resume()
      }
    }
  }
}

/// A request as received, without the headers that identify the client and with the same name for every boundary.
private struct Sent: Equatable, CustomStringConvertible {
  private let head: String
  private let headers: [String]
  private let body: String

  init(_ text: String) {
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    var lines = parts[0].split(separator: "\r\n").map { String($0) }
    // `%ec` and `%EC` are equivalent (RFC 3986, 6.2.2.1), and versions of curl differ in it.
    func sameCase(_ text: String) -> String { text.replacing(/%[0-9A-Fa-f]{2}/) { $0.output.uppercased() } }
    // What isn't permitted in a URL is encoded, which curl doesn't do.
    let encoded = ["[": "%5B", "]": "%5D", "{": "%7B", "}": "%7D", "\"": "%22", "^": "%5E", "|": "%7C"]
    head = encoded.reduce(sameCase(lines.removeFirst()).replacing(/%(?![0-9A-F]{2})/, with: "%25")) {
      $0.replacing($1.key, with: $1.value)
    }
    let boundary = text.firstMatch(of: /boundary=([^\s\r\n;]+)/).map { String($0.1) }
    func plain(_ text: String) -> String { boundary.map { text.replacing($0, with: "BOUNDARY") } ?? text }
    let sent = parts.count > 1 ? String(parts[1]) : ""
    let isForm = parts[0].lowercased().contains("application/x-www-form-urlencoded")
    body = plain(isForm ? sameCase(sent) : sent)
    let ownMatters = Set([
      "host", "content-length", "connection", "transfer-encoding", "expect",
    ])
    let fields = lines.compactMap { line -> (name: String, line: String)? in
      guard let colon = line.firstIndex(of: ":") else { return (line, line) }
      let (name, value) = (line[..<colon].lowercased(), line[line.index(after: colon)...].drop { $0 == " " })
      if ownMatters.contains(name) { return nil }
      // The codings of `--compressed` depend on the build of curl.
      if name == "accept-encoding", value.contains("gzip") { return (name, "accept-encoding: (compressed)") }
      if name == "user-agent", value.hasPrefix("curl/") || value.hasPrefix("openmarket/") { return nil }
      return (name, plain("\(name): \(value)"))
    }
    // Only the order of fields with the same name has a meaning (RFC 9110, 5.3).
    headers = fields.enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
      .map(\.element.line)
  }

  var description: String { ([head] + headers + ["", body]).joined(separator: "\n") }
}
