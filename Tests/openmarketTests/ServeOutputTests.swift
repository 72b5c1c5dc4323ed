import ArgumentParser
import EmbeddedMarket
import Foundation
import Glibc
import Presentation
import TerminalTesting
import TestSupport
import Testing
import Text

@testable import openmarket

/// The information that `serve` prints for users: its lines, its page and its log, and that its examples run.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct ServeOutputTests {
  /// The page is requested, and its examples are run with `curl` and a shell.
  @Test(arguments: [("camp1", "ko"), ("camp2", "en"), ("training", "ko"), ("open", "en")])
  func examplesOfThePageRun(_ edition: String, _ language: String) throws {
    let home = try TemporaryHome()
    let market = try ServedProgram(["--port", "0", "--api", edition], home)
    let page = try run("curl -fsS -H 'Accept-Language: \(language)-XX;q=0.9' \(market.url)/")
    try Golden("serve/\(edition)-\(language)").check(
      page.replacing(market.url, with: "http://market"))
    let written = page.matches(of: #/<pre>(curl[^<]*)<\/pre>/#).map { plain($0.1) }.filter { !$0.contains("DELETE") }
    #expect(written.count == 3, "\(written)")
    let deletion = try #require(page.matches(of: #/<pre>([^<]*curl -X DELETE[^<]*)<\/pre>/#).map { plain($0.1) }.first)
    _ = try home.file("photo.jpg", noisePNG(width: 20, height: 10))
    // The examples take the login from the variables that the server prints, and so does the shell.
    let exports = market.lines.filter { $0.hasPrefix("export ") }.joined(separator: "\n")
    let login = "cd '\(home.path)'\n\(exports)\n"
    for line in written + market.lines.filter({ $0.hasPrefix("curl ") }) {
      let quiet = line.replacing("curl", with: "curl -fsS", maxReplacements: 1)
      #expect(try run(login + quiet).contains("\"stock\":"), "\(line)")
    }
    let session = plain(try #require(page.firstMatch(of: #/<pre>(export [^<]*)<\/pre>/#)).1)
    let program = "\(builtProgram("openmarket")) --home \(home.path)/home"
    let start = try #require(session.split(separator: "\n").last).replacing("openmarket", with: program)
    let lines = try run(login + start + " -c 'curl patch 6 stock=9'")
    #expect(try run(login + lines).contains("\"stock\":9"), "\(lines)")
    // Whoever logged in so is a vendor with products, and changes them without further options.
    if edition == "open" {
      #expect(try run(login + start + " -c 'patch mine stock=3 yes' 2>&1").contains(" done "))
    }
    let deleted = try run(login + deletion.replacing("curl", with: "curl -fsS"))
    #expect(deleted.contains(edition == "camp1" ? "\"id\":6" : "\"stock\":"), "\(deleted)")
    // The table lists what /openapi.json describes.
    let listed = page.matches(of: #/<tr><td><code>([A-Z]+ [^<]+)<\/code>/#).map { String($0.1) }
    let described = try JSONSerialization.jsonObject(with: Data(run("curl -fsS \(market.url)/openapi.json").utf8))
    let paths = try #require((described as? [String: Any])?["paths"] as? [String: [String: Any]])
    let known = paths.flatMap { path, item in item.keys.map { "\($0.uppercased()) \(path)" } }
    #expect(Set(listed.map(Self.unnamed)) == Set(known.map(Self.unnamed)))
    let document = try run("curl -fsS \(market.url)/openapi.json")
    #expect(document.hasPrefix(#"{"openapi":"3.1.0""#))
  }

  /// Returns a path without the names of its segments.
  private static func unnamed(_ path: String) -> String { path.replacing(#/\{[^}]+\}/#, with: "{}") }

  /// Pages can be read on a phone, aloud and in the dark: elements nest, there is one viewport, and colors have the
  /// contrast of WCAG 2.1 (1.4.3, 1.4.11).
  @Test(arguments: [("open", "en"), ("open", "ko"), ("camp1", "en"), ("training", "ko")])
  func pagesAreWellFormedAndAccessible(_ edition: String, _ language: String) throws {
    let home = try TemporaryHome()
    let vendors = edition == "camp1" ? [] : ["--vendors", "2"]
    let market = try ServedProgram(["--port", "0", "--api", edition] + vendors, home)
    _ = try run("curl -s \(market.url)/api/products/abc")
    let kept = market.lines.filter { $0.hasPrefix("teacher ") || $0.hasPrefix("class ") }.compactMap {
      $0.split(separator: " ").last.map(String.init)
    }
    #expect(kept.count == 2)
    for url in [market.url + "/"] + kept {
      let page = try run("curl -fsS -H 'Accept-Language: \(language)' '\(url)'")
      #expect(HTMLChecker(page).problems == [], "\(url)\n\(page)")
      #expect(page.contains("<html lang=\"\(language)\">"))
    }
  }

  /// Secrets are on the teacher's page only, which has a card for each vendor.
  @Test(arguments: ["open", "camp1"]) func secretsAreOnTheTeachersPageOnly(_ edition: String) throws {
    let home = try TemporaryHome()
    let vendors = edition == "open" ? ["--vendors", "2"] : []
    let market = try ServedProgram(["--port", "0", "--api", edition] + vendors, home)
    let teacher = try #require(market.lines.first { $0.hasPrefix("teacher ") }).dropFirst("teacher ".count)
    let key = try #require(teacher.split(separator: "=").last)
    #expect(teacher == "\(market.url)/?key=\(key)" && key.count == 26)
    let page = try run("curl -fsS \(market.url)/")
    for wrong in ["?key=", "?key=\(key.dropLast())", "?key=\(key.dropLast())_", "?key=\(key)0", "?secret=\(key)"] {
      #expect(try run("curl -fsS '\(market.url)/\(wrong)'") == page, "\(wrong)")
    }
    let cards = try run("curl -fsS '\(teacher)'")
    let secrets = market.lines.flatMap { $0.matches(of: #/(?:secret|password|identifier)=(\S+)/#).map(\.1) }
    #expect(secrets.count == (edition == "open" ? 6 : 1))
    for secret in secrets { #expect(!page.contains(secret) && cards.contains("<code>\(secret)</code>"), "\(secret)") }
    #expect(cards.matches(of: #/<section class="card">/#).count == (edition == "open" ? 3 : 1))
    let headers = try run("curl -fsSI '\(teacher)'")
    #expect(headers.lowercased().contains("cache-control: no-store"), "\(headers)")
  }

  /// Names, the public URL and the addresses of this machine are answered to and printed, and no others.
  @Test func serverAnswersToItsNamesOnly() throws {
    let home = try TemporaryHome()
    let names = ["--name", "teacher.local", "--name", "Market", "--public-url", "https://market.example/"]
    let market = try ServedProgram(["--host", "0.0.0.0", "--port", "0"] + names, home)
    let port = try #require(market.lines.first { $0.contains("teacher.local") }?.split(separator: ":").last)
    #expect(market.lines[0] == "openmarket serving open at https://market.example")
    #expect(market.lines[1] == "also at http://teacher.local:\(port)")
    #expect(market.lines.contains("openapi https://market.example/openapi.json"))
    let local = "http://127.0.0.1:\(port)"
    for (name, status) in [
      ("teacher.local:\(port)", "200"), ("TEACHER.LOCAL", "200"), ("market", "200"), ("market.example", "200"),
      ("192.0.2.7", "200"), ("localhost", "200"), ("pupil.local", "421"), ("example", "421"),
      ("teacher.local.example", "421"), ("market.example:80x", "421"), ("backend:8080", "421"),
    ] {
      let told = try run("curl -s -o /dev/null -w '%{http_code}' -H 'Host: \(name)' \(local)/api/products/3")
      #expect(told == status, "\(name)")
    }
    // URLs in responses are those of the proxy, and so are the examples on the page.
    let product = try run("curl -fsS \(local)/api/products/3")
    #expect(product.contains("\"thumbnail\":\"https://market.example/media"), "\(product)")
    #expect(try run("curl -fsS \(local)/").contains("curl 'https://market.example/api/products"))
    #expect(try run("curl -fsS \(local)/openapi.json").contains("\"https://market.example\""))
  }

  /// On a terminal the labels are in the user's language. The lines to copy are the same.
  @Test func labelsOnATerminalAreInTheUsersLanguage() {
    var random = SplitMix64(1)
    let key = TeacherKey(using: &random)
    func lines(_ language: MessageLanguage) -> [String] {
      ServerGreeting(
        api: .edition(.camp1), addresses: ["http://127.0.0.1:8080", "http://teacher.local:8080"],
        vendors: [], key: key, language: language
      ).lines
    }
    #expect(
      lines(.korean) == [
        "openmarket camp1 서버: http://127.0.0.1:8080", "다른 주소: http://teacher.local:8080",
        "교사용 페이지: http://127.0.0.1:8080/?key=\(key.text)", "수업 보고서: http://127.0.0.1:8080/class?key=\(key.text)",
        "OpenAPI 문서: http://127.0.0.1:8080/openapi.json", "curl http://127.0.0.1:8080/items/1",
      ])
    #expect(
      lines(.english) == [
        "openmarket serving camp1 at http://127.0.0.1:8080", "also at http://teacher.local:8080",
        "teacher http://127.0.0.1:8080/?key=\(key.text)", "class http://127.0.0.1:8080/class?key=\(key.text)",
        "openapi http://127.0.0.1:8080/openapi.json", "curl http://127.0.0.1:8080/items/1",
      ])
  }

  /// A name that the server does not know is told with the option that adds it, if it is a name.
  @Test(arguments: [
    ("backend:8080", "; start it with --name backend"), ("TEACHER.lan", "; start it with --name teacher.lan"),
    ("a_b", ""), ("-x", ""), ("192.0.2.7", ""),
  ]) func unknownNameIsAnsweredWithTheOption(_ host: String, _ advice: String) throws {
    let home = try TemporaryHome()
    let request = "curl -s -H 'Host: \(host)'"
    do {
      let market = try ServedProgram(["--port", "0"], home)
      let answer = try run("\(request) \(market.url)/api/products/3")
      #expect(
        answer == #"{"code":421,"message":"This server does not answer to the name '\#(host)'\#(advice)"}"#, "\(answer)"
      )
    }
    guard let name = advice.split(separator: " ").last else { return }
    let market = try ServedProgram(["--port", "0", "--name", String(name)], home)
    let port = try #require(market.url.split(separator: ":").last)
    #expect(try run("\(request) -o /dev/null -w '%{http_code}' http://127.0.0.1:\(port)/api/products/3") == "200")
  }

  /// `class` with the URL that the server prints for other machines works on this one.
  @Test func classReportIsReadAtThePublicURL() throws {
    let home = try TemporaryHome()
    let market = try ServedProgram(["--host", "0.0.0.0", "--port", "0"], home)
    let report = try #require(market.lines.first { $0.hasPrefix("class ") }).dropFirst("class ".count)
    let result = try openmarket(["--home", home.path + "/home", "class", String(report), "as", "csv"])
    #expect(result.code == 0 && result.err.isEmpty && result.out.hasPrefix("vendor_id,name,"), "\(result)")
  }

  /// What the report says of each mistake, in both languages.
  @Test(arguments: ["open", "training", "camp1", "camp2"])
  func reportExplainsMistakesInBothLanguages(_ edition: String) throws {
    let home = try TemporaryHome()
    let market = try ServedProgram(["--port", "0", "--api", edition], home)
    let hasVendors = edition == "open" || edition == "training"
    let secret = try #require(market.lines.joined(separator: " ").firstMatch(of: #/(?:secret|password)=(\S+)/#)?.1)
    let identifier = market.lines[1].firstMatch(of: #/identifier=(\S+)/#).map { String($0.1) } ?? ""
    func request(_ words: String, _ body: String = "") throws {
      let data = body.isEmpty ? "" : "-H 'Content-Type: application/json' -d '\(body)'"
      _ = try run("curl -s -H 'identifier: \(identifier)' -X \(words.replacing(" /", with: " \(market.url)/")) \(data)")
    }
    let one = hasVendors ? "/api/products/6" : "/item/6"
    for words in [
      "GET \(one)x", "GET \(one)999", "PUT \(one)", "POST /api/product", "GET /items/1x", "DELETE \(one)/wrong",
    ] {
      try request(words)
    }
    if hasVendors {
      let action = edition == "open" ? "archived" : "secret"
      for body in [
        #"{"stock":1}"#, #"{"price":-1,"secret":"\#(secret)"}"#, #"{"price":"x","secret":"\#(secret)"}"#,
        #"{"stock":1,"secret":"wrong"}"#, #"{"thumbnail_id":999999,"secret":"\#(secret)"}"#, "{",
      ] {
        try request("PATCH \(one)", body)
      }
      try request("PATCH \(one.replacing("6", with: "3"))", #"{"stock":1,"secret":"\#(secret)"}"#)
      try request("POST \(one)/\(action)", "{}")
      try request("DELETE \(one.replacing("/6", with: "/NnxhYmM="))")
      for form in [
        #"-F params={\"secret\":\"\#(secret)\"} -F images=@/etc/hostname"#, "-F images=@/etc/hostname", "-F params={}",
      ] {
        try request("POST /api/products \(form)")
      }
      _ = try run("curl -s -X PATCH \(market.url)\(one) -d '{}'")
      _ = try run("curl -s -X PATCH \(market.url)\(one) -H 'identifier: nobody' -d '{}'")
    } else {
      try request("PATCH \(one)", "{}")
      for form in ["-F stock=1", "-F stock=x -F password=\(secret)", "-F stock=1 -F password=wrong"] {
        try request("PATCH \(one) \(form)")
      }
      for body in ["{}", "{", #"{"id":7,"password":"\#(secret)"}"#, #"{"id":6,"password":"wrong"}"#] {
        try request("DELETE \(one)", body)
      }
      try request("POST /item -F title=a -F descriptions=b -F price=1 -F stock=1 -F currency=KRW -F password=p")
    }
    let report = try #require(market.lines.first { $0.hasPrefix("class ") }).dropFirst("class ".count)
    for language in ["en", "ko"] {
      let csv = try run("curl -fsS -H 'Accept-Language: \(language)' '\(report)&format=csv'")
      let lines = csv.replacing("\u{FEFF}", with: "").replacing(#/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#, with: "TIME")
        .replacing("; ", with: "\n  ")
      try Golden("serve/mistakes-\(edition)-\(language)").check(lines)
    }
  }

  /// A public URL with an apostrophe is one word of a shell in the printed request.
  @Test func printedRequestIsQuoted() throws {
    let market = try ServedProgram(["--port", "0", "--public-url", "https://market.example/it's"], TemporaryHome())
    #expect(
      market.lines.last == #"curl 'https://market.example/it'\''s/api/products?page_no=1&items_per_page=3'"#)
  }

  /// The report counts what each vendor requested, and is seen by the teacher only.
  @Test func reportCountsRequestsPerVendor() throws {
    let home = try TemporaryHome()
    let list = try home.file("class.txt", "=민수,minsu-1,minsu-secret\n")
    let market = try ServedProgram(["--port", "0", "--log", "--vendors", list], home)
    let report = try #require(market.lines.first { $0.hasPrefix("class ") }).dropFirst("class ".count)
    for path in ["products/3", "products/998", "products/999"] { _ = try run("curl -s \(market.url)/api/\(path)") }
    for body in ["{}", #"{"stock":1,"secret":"minsu-secret"}"#, #"{"stock":2,"secret":"minsu-secret"}"#] {
      _ = try run(
        "curl -s -X PATCH \(market.url)/api/products/6 -H 'identifier: minsu-1' -H 'Content-Type: application/json' -d '\(body)'"
      )
    }
    let sent = try run("curl -fsS '\(report)&format=csv'")
    #expect(sent.unicodeScalars.first == "\u{FEFF}")
    let csv = sent.replacing("\u{FEFF}", with: "").replacing(#/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#, with: "TIME")
    try Golden("serve/class-csv").check(csv)
    let page = try run("curl -fsS -H 'Accept-Language: en' '\(report)'")
    try Golden("serve/class-page").check(
      page.replacing(#/<time datetime="[-0-9T:]+Z">\d\d:\d\d:\d\d</#, with: "<time datetime=\"TIME\">TIME<"))
    #expect(try run("curl -s -o /dev/null -w '%{http_code}' '\(report.dropLast())'") == "404")
    let key = report.split(separator: "=").last ?? ""
    let said = try market.end().out.split(separator: "\n").dropFirst(market.lines.count).joined(separator: "\n")
    #expect(said.contains("GET /class") && !said.contains(key) && !said.contains(key.dropLast()), "\(said)")
  }

  /// The certificate that the server makes is valid for its names, and kept for the next start, which needs no openssl.
  @Test func aServerMakesItsCertificate() throws {
    let home = try TemporaryHome()
    let options = ["--host", "0.0.0.0", "--port", "0", "--tls", "self", "--name", "teacher.local"]
    var certificates: Set<String> = []
    for path in ["/usr/bin:/bin", "/nowhere"] {
      let market = try ServedProgram(options, home, environment: ["PATH": path])
      #expect(market.url.hasPrefix("https://teacher.local:"))
      let port = market.url.split(separator: ":").last ?? ""
      let file = home.path + "/market/certificate.pem"
      certificates.insert(try String(contentsOfFile: file, encoding: .utf8))
      let resolved = "--resolve teacher.local:\(port):127.0.0.1 --cacert \(file)"
      let product = try run("curl -fsS \(resolved) \(market.url)/api/products/3")
      #expect(product.contains("\"thumbnail\":\"\(market.url)/media"), "\(product)")
      #expect(try run("curl -fsS --cacert \(file) https://127.0.0.1:\(port)/healthChecker") == "\"OK\"")
      #expect(try run("curl -s https://127.0.0.1:\(port)/healthChecker || echo $?") == "60\n")
      #expect(
        try run("curl -s http://127.0.0.1:\(port)/healthChecker")
          == "This port accepts https only, and the request was sent in http.\n")
      let said = try market.end().err
      #expect(said.contains("add-root-cert") && said.contains("SHA-256"), "\(said)")
    }
    #expect(certificates.count == 1)
    let key = try FileManager.default.attributesOfItem(atPath: home.path + "/market/certificate.key")
    #expect(key[.posixPermissions] as? Int == 0o600)
    let facts = try run(
      "openssl x509 -noout -ext basicConstraints,keyUsage,extendedKeyUsage,subjectAltName -in \(home.path)/market/certificate.pem"
    )
    for fact in ["CA:TRUE, pathlen:0", "Certificate Sign", "Server Authentication", "DNS:teacher.local", ":127.0.0.1"] {
      #expect(facts.contains(fact), "\(facts)")
    }
    let days = "openssl x509 -noout -in \(home.path)/market/certificate.pem -checkend"
    #expect(
      try run("\(days) $((396 * 86400)); \(days) $((398 * 86400))").split(separator: "\n").map(\.count) == [27, 23])
    // Other names want another certificate.
    _ = try ServedProgram(options + ["--name", "market"], home).end()
    certificates.insert(try String(contentsOfFile: home.path + "/market/certificate.pem", encoding: .utf8))
    #expect(certificates.count == 2)
  }

  /// A shell trusts the certificate that the server made, by the profile's setting `ca`.
  @Test func shellTrustsTheCertificateWithCA() throws {
    let home = try TemporaryHome()
    let market = try ServedProgram(["--port", "0", "--tls", "self"], home)
    let lines = [
      "profile add class url=\(market.url) api=open ca=\(home.path)/market/certificate.pem", "profile class",
    ]
    let result = try openmarket(
      ["--home", home.path + "/home"] + (lines + ["show 138 id as csv"]).flatMap { ["-c", $0] })
    #expect(result.code == 0 && result.out.hasSuffix("id\n138\n"), "\(result)")
  }

  /// A certificate that cannot be made ends the start with the reason, and a key is not shown.
  @Test(arguments: [
    (nil, "reason: No such file or directory.\n  hint: Install openssl (the package openssl), or"),
    ("echo 'unknown option' >&2; exit 1", "reason: openssl failed: unknown option\n"),
    ("echo '-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\nno memory'; exit 1", "failed: no memory\n"),
    ("exit 0", "reason: openssl failed"),
  ]) func unusableCertificateEndsTheStart(_ script: String?, _ reason: String) throws {
    let home = try TemporaryHome()
    if let script {
      try ExecutableFile.write("#!/bin/sh\n\(script)\n", to: home.path + "/openssl")
    }
    let result = try openmarket(
      ["serve", "--port", "0", "--tls", "self", "--data", home.path + "/market"], environment: ["PATH": home.path])
    #expect(result.code == 1 && result.out.isEmpty, "\(result)")
    #expect(
      result.err.hasPrefix("error: Could not make a certificate.\n") && result.err.contains(reason), "\(result.err)")
    #expect(
      !result.err.contains("MIGH") && !FileManager.default.fileExists(atPath: home.path + "/market/certificate.key"))
  }

  /// The default ports are not used by tests, as other programs of the machine may have them.
  @Test func otherPortThanTheDefaultIsNamed() throws {
    let serve = try #require(try OpenMarketCommand.parseAsRoot(["serve"]) as? Serve)
    #expect(serve.ports == 8080...8089)
    #expect(serve.portNote(listeningOn: 8080) == nil)
    #expect(serve.portNote(listeningOn: 8083)?.what.english.plain == "Port 8080 is in use. Using port 8083 instead.")
    let chosen = try #require(try OpenMarketCommand.parseAsRoot(["serve", "--port", "9000"]) as? Serve)
    #expect(chosen.ports == 9000...9000 && chosen.portNote(listeningOn: 9000) == nil)
  }

  @Test func chosenPortInUseIsAnError() throws {
    let home = try TemporaryHome()
    let first = try ServedProgram(["--port", "0"], home)
    let port = try #require(URL(string: first.url)?.port)
    let second = try openmarket(["serve", "--port", "\(port)", "--data", home.path + "/market"])
    #expect(second.code == 3)
    #expect(second.err.contains("Port \(port) on 127.0.0.1 is already in use."))
  }

  @Test func listeningToOtherMachinesWarns() throws {
    let home = try TemporaryHome()
    let market = try ServedProgram(["--host", "0.0.0.0", "--port", "0", "--lang", "ko"], home)
    #expect(try run("curl -fsS \(market.url)/healthChecker") == "\"OK\"")
    let said = try market.end().err
    #expect(said.contains("이 컴퓨터에 접속할 수 있는 사람은 누구나 이 마켓을 읽고 바꿀 수 있습니다."))
  }

  /// The vendors are the same after a restart, and values in the file take precedence over generated ones.
  @Test func vendorsAreTheSameAfterARestart() throws {
    let home = try TemporaryHome()
    let list = try home.file("class.txt", "# team, identifier, secret\n\n유리,,\n민수,minsu-1,minsu-secret\n")
    var seen: [[String]] = []
    for wanted in ["2", list, list] {
      let market = try ServedProgram(["--port", "0", "--vendors", wanted], home)
      seen.append(market.lines.filter { $0.hasPrefix("vendor_id=") })
      let teacher = try #require(market.lines.first { $0.hasPrefix("teacher ") }).dropFirst("teacher ".count)
      let page = try run("curl -fsS '\(teacher)'")
      #expect(
        seen.last?.allSatisfy { page.contains($0.split(separator: " ")[1].dropFirst("identifier=".count)) } == true)
      _ = try market.end()
    }
    #expect(seen.map(\.count) == [3, 3, 3])
    #expect(
      seen[0].dropFirst().map { $0.replacing(#/ identifier=.* name/#, with: "") } == [
        "vendor_id=101=vendor1", "vendor_id=102=vendor2",
      ])
    #expect(seen[1][2] == "vendor_id=104 identifier=minsu-1 secret=minsu-secret name=민수")
    #expect(seen[1] == seen[2])
  }

  /// After the end the market is one file, which may be copied.
  @Test func stoppedMarketIsOneFile() throws {
    let home = try TemporaryHome()
    let market = try ServedProgram(["--port", "0"], home)
    let product = try run("curl -fsS \(market.url)/api/products/6").replacing(market.url, with: "")
    #expect(try market.end().code == 0)
    // The write-ahead log beside it is gone or empty.
    let log = try? FileManager.default.attributesOfItem(atPath: home.path + "/market/market.sqlite-wal")
    #expect(log.map { $0[.size] as? Int == 0 } ?? true)
    let copy = try TemporaryHome()
    _ = try run("mkdir \(copy.path)/market && cp \(home.path)/market/market.sqlite \(copy.path)/market/")
    let again = try ServedProgram(["--port", "0"], copy)
    #expect(try run("curl -fsS \(again.url)/api/products/6").replacing(again.url, with: "") == product)
    _ = try again.end()
  }

  /// Products are deleted only after a question, and vendors of a class stay.
  @Test func emptyAndFreshAskBeforeDeleting() throws {
    let home = try TemporaryHome()
    func total(_ market: ServedProgram) throws -> String {
      try run("curl -fsS '\(market.url)/api/products?page_no=1&items_per_page=1'")
        .firstMatch(of: #/"totalCount":(\d+)/#).map { String($0.1) } ?? ""
    }
    var market = try ServedProgram(["--port", "0", "--vendors", "2"], home)
    let vendors = market.lines.filter { $0.hasPrefix("vendor_id=") }
    let count = try total(market)
    _ = try market.end()
    for word in ["--empty", "--fresh"] {
      let refused = try openmarket(["serve", "--port", "0", "--data", home.path + "/market", word])
      #expect(refused.code == 4 && refused.out.isEmpty, "\(refused)")
      #expect(refused.err.contains("has \(count) products. Nothing was deleted."), "\(refused.err)")
    }
    market = try ServedProgram(["--port", "0", "--empty", "--yes", "--vendors", "2"], home)
    #expect(try total(market) == "0" && market.lines.filter { $0.hasPrefix("vendor_id=") } == vendors)
    _ = try market.end()
    // There is nothing to delete, and so no question.
    market = try ServedProgram(["--port", "0", "--fresh", "--vendors", "2"], home)
    #expect(try total(market) == count && market.lines.filter { $0.hasPrefix("vendor_id=") } == vendors)
    _ = try market.end()
    for (answer, code) in [("n", 4), ("y", 0)] as [(String, Int32)] {
      let terminal = try TerminalProgram(
        builtProgram("openmarket"), ["serve", "--port", "0", "--data", home.path + "/market", "--empty"])
      try terminal.wait("the question") { $0.screen.row.hasSuffix("[y/N]") }
      try terminal.type(answer + "\r")
      if code == 0 {
        try terminal.wait("the example") { $0.screen.text.contains("curl ") }
        kill(terminal.processID, SIGTERM)
      }
      #expect(try terminal.exitCode() == code)
    }
  }

  @Test func vendorOfTheClassCanSell() throws {
    let home = try TemporaryHome()
    let list = try home.file("class.txt", "민수,minsu-1,minsu-secret")
    let market = try ServedProgram(["--port", "0", "--vendors", list], home)
    let cup = try home.file("cup.png", noisePNG(width: 20, height: 10))
    let result = try openmarket(
      [
        "--url", market.url, "--api", "open", "--home", home.path + "/home", "--yes", "-c",
        "new name='Paper lamp' description='It folds into a card.' price=9000 currency=KRW stock=2 images=\(cup)", "-c",
        "show _ vendor vendor_id as csv",
      ], environment: ["OPENMARKET_IDENTIFIER": "minsu-1", "OPENMARKET_SECRET": "minsu-secret"])
    #expect(result.out.hasSuffix("vendor,vendor_id\n민수,101\n"), "\(result.err)")
  }

  @Test func logHasALineForEachRequest() throws {
    let home = try TemporaryHome()
    let market = try ServedProgram(["--port", "0", "--log", "--slow", "20"], home)
    for path in ["/healthChecker", "/api/products/999?search_value=%ED%95%9C", "/"] {
      _ = try run("curl -s '\(market.url)\(path)'")
    }
    _ = try run("curl -s -X DELETE \(market.url)/api/products")
    let lines = try market.end().out.split(separator: "\n").dropFirst(9).map {
      $0.replacing(#/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#, with: "TIME").replacing(#/\d+ B \d+ ms/#, with: "SIZE")
    }
    #expect(
      lines == [
        "TIME GET /healthChecker 200 SIZE from=127.0.0.1",
        #"TIME GET /api/products/999?search_value=%ED%95%9C 404 SIZE from=127.0.0.1 reason="Product 999 does not exist""#,
        "TIME GET / 200 SIZE from=127.0.0.1",
        #"TIME DELETE /api/products 405 SIZE from=127.0.0.1 reason="Request method 'DELETE' not supported""#,
      ])
  }

  @Test func slowOptionDelaysResponses() throws {
    let market = try ServedProgram(["--port", "0", "--slow", "400"], TemporaryHome())
    let seconds = Double(try run("curl -s -o /dev/null -w '%{time_total}' \(market.url)/api/products/3"))
    #expect(try #require(seconds) >= 0.4)
  }

  /// The options, or the keys of a lesson, that refuse what is outside the documented limits and that imitate the bugs of
  /// the real servers.
  @Test(
    arguments: [
      ([], "", false, false), (["--strict"], "", true, false), (["--quirks"], "", false, true),
      ([], "strict = true\n", true, false), ([], "quirks = true\n", false, true),
      ([], "strict = false\nquirks = false\n", false, false),
    ] as [([String], String, Bool, Bool)])
  func strictAndQuirksApplyWhereGiven(_ options: [String], _ lesson: String, _ isStrict: Bool, _ hasQuirks: Bool) throws
  {
    let home = try TemporaryHome()
    let file = try home.file("lesson.toml", lesson)
    let market = try ServedProgram(["--port", "0"] + options + (lesson.isEmpty ? [] : ["--lesson", file]), home)
    let cup = try home.file("cup.png", noisePNG(width: 20, height: 10))
    let result = try openmarket(
      [
        "--url", market.url, "--api", "open", "--home", home.path + "/home", "--yes", "-c", "set limits server", "-c",
        "new name=ab description='It folds into a card.' price=9000 currency=KRW stock=2 images=\(cup)",
      ], environment: market.login)
    #expect(result.code == (isStrict ? 1 : 0), "\(result.err)")
    #expect(result.err.contains("status 400: name: size must be between 3 and 100") == isStrict, "\(result.err)")
    let status = "curl -s -o /dev/null -w '%{http_code}' '\(market.url)/api/products?page_no=0&items_per_page=5'"
    #expect(try (run(status) == "500") == hasQuirks)
  }

  /// A certificate of one's own, which is not changed.
  @Test func givenCertificateIsUsedUnchanged() throws {
    let home = try TemporaryHome()
    let (certificate, key) = (home.path + "/own.pem", home.path + "/own.key")
    let made = try PipedProgram(
      [
        "-c",
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=own"
          + " -addext subjectAltName=IP:127.0.0.1 -keyout \(key) -out \(certificate)",
      ], program: "/bin/sh"
    ).result()
    try #require(made.code == 0, "\(made.err)")
    let market = try ServedProgram(["--port", "0", "--tls", certificate, key], home)
    let port = try #require(market.url.split(separator: ":").last)
    #expect(market.url.hasPrefix("https://"))
    #expect(try run("curl -fsS --cacert \(certificate) https://127.0.0.1:\(port)/healthChecker") == "\"OK\"")
    #expect(try run("curl -s https://127.0.0.1:\(port)/healthChecker || echo $?") == "60\n")
    #expect(!FileManager.default.fileExists(atPath: home.path + "/market/certificate.pem"))
  }

  /// Each card of the teacher's page has a QR code of its own: a square with the three finder patterns.
  @Test func everyCardHasItsQRCode() throws {
    let market = try ServedProgram(["--port", "0", "--vendors", "2"], TemporaryHome())
    let teacher = try #require(market.lines.first { $0.hasPrefix("teacher ") }).dropFirst("teacher ".count)
    let page = try run("curl -fsS '\(teacher)'")
    #expect(try !run("curl -fsS '\(market.url)/'").contains("<svg role=\"img\""))
    let codes = page.matches(of: #/viewBox="0 0 (\d+) \d+" [^>]*><path [^>]*><path d="([^"]+)"/#)
    #expect(codes.count == 3 && Set(codes.map(\.2)).count == 3)
    for code in codes {
      let size = try #require(Int(code.1)) - 8
      #expect(size >= 21 && (size - 17) % 4 == 0, "\(size)")
      var isDark = [[Bool]](repeating: [Bool](repeating: false, count: size + 8), count: size + 8)
      for run in code.2.matches(of: #/M(\d+) (\d+)h(\d+)v1h-\d+z/#) {
        let (x, y, width) = (Int(run.1) ?? 0, Int(run.2) ?? 0, Int(run.3) ?? 0)
        for column in x..<x + width { isDark[y][column] = true }
      }
      let finder = ["#######", "#     #", "# ### #", "# ### #", "# ### #", "#     #", "#######"]
      for (row, column) in [(4, 4), (4, size - 3), (size - 3, 4)] {
        let found = (row..<row + 7).map { y in String((column..<column + 7).map { isDark[y][$0] ? "#" : " " }) }
        #expect(found == finder)
      }
    }
  }

  @Test func failOptionFailsRequests() throws {
    let home = try TemporaryHome()
    let market = try ServedProgram(["--port", "0", "--fail", "100%"], home)
    #expect(
      try run("curl -s '\(market.url)/api/products'")
        == #"{"code":503,"message":"Service Unavailable (a deliberate fault)"}"#)
    #expect(try run("curl -fsS '\(market.url)/openapi.json'").hasPrefix("{"))
  }

  @Test(arguments: [
    (["--port", "70000"], "`--port` must be from 0 to 65535."),
    (
      ["--name", "teacher.local:8080"],
      "Invalid value for `--name`: teacher.local:8080. Use a name such as teacher.local, without a port."
    ),
    (
      ["--public-url", "market.example"],
      "Invalid value for `--public-url`: market.example. Use a URL such as https://market.example."
    ),
    (["--slow", "40000"], "`--slow` must be from 0 to 30000 milliseconds."),
    (["--fail", "2"], "Invalid value for `--fail`: 2. Use a rate from 0 to 1, such as 0.2, or 20%."),
    (["--fail", "often"], "Invalid value for `--fail`: often. Use a rate from 0 to 1, such as 0.2, or 20%."),
    (
      ["--empty", "--fresh"],
      "`--empty` and `--fresh` cannot be combined: without products, or with the sample products."
    ),
    (["--vendors", "501"], "`--vendors` must be a number from 0 to 500, or a file."),
    (["--vendors", "/nowhere"], "`--vendors` must be a number or a readable file, not /nowhere."),
    (
      ["--vendors", "2", "--api", "camp1"],
      "`--vendors` cannot be used with camp1: it has no vendors, only a password per product."
    ),
  ])
  func invalidOptionsAreRefused(_ options: [String], _ message: String) throws {
    let home = try TemporaryHome()
    let result = try openmarket(["serve", "--data", home.path + "/market"] + options)
    #expect(result.code == 2)
    #expect(result.err == "error: \(message)\n  hint: \(ServeOutputTests.usage)\n")
  }

  /// An unknown option names the nearest one, and none that is far.
  @Test(arguments: [
    (["serve", "--prot", "1"], "--prot", "Did you mean `--port`?"),
    (["serve", "--bogus"], "--bogus", usage), (["serve", "--vendor", "3"], "--vendor", "Did you mean `--vendors`?"),
    (["--bogus"], "--bogus", "Run `openmarket --help` or `openmarket serve --help` to list the options."),
    (["--reed-only"], "--reed-only", "Did you mean `--read-only`?"),
    (["mcp", "--rat", "3"], "--rat", "Did you mean `--rate`?"),
  ])
  func onlyASimilarOptionIsSuggested(_ arguments: [String], _ option: String, _ hint: String) throws {
    let result = try openmarket(arguments)
    #expect(result == .init(out: "", err: "error: Unknown option: \(option).\n  hint: \(hint)\n", code: 2))
  }

  private static let usage = "Usage: `openmarket serve [OPTIONS]`. Run `openmarket serve --help` to list the options."

  @Test(arguments: [
    ("유리,,,,\n", "line 1: Expected NAME,IDENTIFIER,SECRET."),
    ("1,Kim,kim@example.com\n", "line 1: Expected NAME,IDENTIFIER,SECRET. For other columns, add a first line with"),
    (
      "Kim,kim-1,kim@example.com\n", "line 1: Expected NAME,IDENTIFIER,SECRET. For other columns, add a first line with"
    ),
    ("No,Nombre,Email\n1,Kim,a@example.com\n", "line 1: None of the titles is name: No, Nombre, Email. Not known: No,"),
    ("아이디,비밀번호\nkim,secret\n", "line 1: None of the titles is name: 아이디, 비밀번호."),
    ("Name,Student name\nA,B\n", "line 1: Two titles are for one column: Name, Student name."),
    ("이름,이메일\n,a@example.com\n", "line 2: There is no name, or a cell without a title."),
    ("유리\n민수\n유리\n", "line 3: 유리 is also in line 1. Names and identifiers must be unique."),
    ("이름\n유리\n유리\n", "line 3: 유리 is also in line 2. Names and identifiers must be unique."),
    ("Kim,A-1\nLee,a-1\n", "line 2: a-1 is also in line 1. Names and identifiers must be unique."),
    // That student would be the sample vendor, with its products.
    ("유리\n구름상점\n", "line 2: 구름상점 is a vendor of the sample market. Use another name."),
    ("이름\nblue fern studio\n", "line 2: blue fern studio is a vendor of the sample market. Use another name."),
    ("camp,camp-1,s3cret\n", "line 1: camp is a vendor of the sample market. Use another name."),
    ("유리\n민수,한글\n", "line 2: Identifiers and secrets may only contain printable ASCII characters."),
    ("유\u{202E}리\n", "line 1: It contains invisible characters."),
  ])
  func invalidVendorsAreRefused(_ text: String, _ message: String) throws {
    let home = try TemporaryHome()
    let list = try home.file("class.txt", text)
    let result = try openmarket(["serve", "--data", home.path + "/market", "--vendors", list])
    #expect(result.code == 2)
    #expect(result.err.hasPrefix("error: \(list), \(message)"), "\(result.err)")
  }

  @Test(arguments: ["", "# nobody\n\n", "name,identifier\n", " \n,\n"])
  func emptyVendorListIsRefused(_ text: String) throws {
    let home = try TemporaryHome()
    let list = try home.file("class.txt", text)
    let result = try openmarket(["serve", "--data", home.path + "/market", "--vendors", list])
    #expect(result.code == 2 && result.err.hasPrefix("error: \(list) has no vendors.\n"), "\(result)")
  }

  /// Lists as spreadsheets write them.
  @Test(arguments: [
    ("\u{FEFF}Kim\r\n\"Lee, A\",lee-1,lee-secret\r\n", ["Kim", "Lee, A"]),
    ("name,identifier,secret\nKim,kim-1,kim-secret\n", ["Kim"]),
    ("시크릿;이름\nkim-secret;민수\n;유리\n", ["민수", "유리"]),
    ("# a note, \"unfinished\n\nKim\tkim-1\n", ["Kim"]),
    ("No,Name,Email\n1,Kim,kim@example.com\n", ["Kim"]),
    ("번호,이름,이메일\n1,민수,민수@example.com\n2,유리,\n", ["민수", "유리"]),
    ("성명\n민수\n", ["민수"]), ("학생 이름,Phone No.\n민수,010-1\n", ["민수"]), ("이름(한글),학번,Memo\n민수,1,\n", ["민수"]),
    ("1\n2\n", ["1", "2"]), ("\u{1106}\u{1175}\u{11AB}\n", ["민"]),
  ])
  func vendorListsOfSpreadsheetsAreRead(_ text: String, _ names: [String]) throws {
    let home = try TemporaryHome()
    let market = try ServedProgram(["--port", "0", "--vendors", try home.file("class.csv", text)], home)
    let vendors = market.lines.filter { $0.hasPrefix("vendor_id=") }.dropFirst()
    #expect(vendors.map { String($0.split(separator: "name=", maxSplits: 1)[1]) } == names)
    let said = try market.end().err
    #expect(
      said.contains("Columns of the list of vendors that are not used: ") == text.contains(#/(?i)email|이메일|Phone|학번/#))
    if text.contains("kim-secret") { #expect(vendors.first?.contains("secret=kim-secret") == true) }
  }

  /// Lists in the encodings that spreadsheets write.
  @Test(
    arguments: [
      [0xFF, 0xFE] + Array("민수\n유리\n".utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
      [0xFE, 0xFF] + Array("민수\n유리\n".utf16).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
      // CP949, as Excel saves CSV in Korea.
      [0xB9, 0xCE, 0xBC, 0xF6, 0x0A, 0xC0, 0xAF, 0xB8, 0xAE, 0x0A],
    ] as [[UInt8]])
  func vendorListsInOtherEncodingsAreRead(_ bytes: [UInt8]) throws {
    let home = try TemporaryHome()
    let market = try ServedProgram(["--port", "0", "--vendors", try home.file("class.csv", bytes)], home)
    let vendors = market.lines.filter { $0.hasPrefix("vendor_id=") }.dropFirst()
    #expect(vendors.map { String($0.split(separator: "name=", maxSplits: 1)[1]) } == ["민수", "유리"])
  }

  /// A vendor that the list leaves out after a restart can no longer write.
  @Test func vendorRemovedFromTheListIsRefused() throws {
    let home = try TemporaryHome()
    for names in ["Kim,kim-1,k\nLee,lee-1,l", "Kim,kim-1,k", "Lee,lee-1,l"] {
      let market = try ServedProgram(["--port", "0", "--vendors", try home.file("class.csv", names)], home)
      let answer = try run(
        "curl -s -X PATCH -H 'identifier: lee-1' -d '{\"secret\":\"l\"}' \(market.url)/api/products/99999")
      #expect(answer.contains(names.contains("Lee") ? "does not exist" : "no longer on the list"), "\(answer)")
      _ = try market.end()
    }
  }

  private func run(_ line: String) throws -> String {
    try PipedProgram(["-c", line], program: "/bin/sh").result().out
  }

  private func plain(_ html: Substring) -> String {
    String(html).replacing("&quot;", with: "\"").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&amp;", with: "&")
  }
}

/// The faults of a page by the rules of HTML that browsers repair silently, and of its colors.
private struct HTMLChecker {
  private(set) var problems: [String] = []

  private static let void: Set<String> = ["meta", "br", "img", "hr", "link", "input", "path", "rect"]
  /// Elements whose end tag may be omitted (HTML, section 13.1.2.4).
  private static let optional: Set<String> = ["html", "head", "body", "p", "li", "dt", "dd", "tr", "td", "th", "tbody"]

  init(_ page: String) {
    if !page.hasPrefix("<!doctype html>\n") { problems.append("no doctype") }
    checkElements(page)
    for (part, count) in [
      ("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">", 1), ("<meta charset=\"utf-8\">", 1),
      ("<title>", 1), ("<main>", 1), ("<h1>", 1), ("name=\"viewport\"", 1), ("<script", 0), (" style=", 0),
    ] where page.ranges(of: part).count != count {
      problems.append("\(part) occurs \(page.ranges(of: part).count) times")
    }
    checkColors(page)
  }

  private mutating func checkElements(_ page: String) {
    var open: [String] = []
    var ids: Set<String> = []
    let content = page.replacing(#/<style>[^<]*<\/style>/#, with: "")
    for match in content.matches(of: #/<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z-]+(?:="[^"<]*")?)*)\s*(\/?)>|[<]/#) {
      guard let name = match.2.map(String.init) else {
        if !content[match.range.lowerBound...].hasPrefix("<!doctype") { problems.append("a < that is no tag") }
        continue
      }
      for id in (match.3 ?? "").matches(of: #/\sid="([^"]*)"/#) where !ids.insert(String(id.1)).inserted {
        problems.append("the id \(id.1) occurs twice")
      }
      if match.1 == "/" {
        while let last = open.last, last != name, Self.optional.contains(last) { open.removeLast() }
        if open.last == name { open.removeLast() } else { problems.append("</\(name)> ends \(open.last ?? "nothing")") }
      } else if !Self.void.contains(name), match.4 != "/" {
        open.append(name)
      }
    }
    problems += open.filter { !Self.optional.contains($0) }.map { "<\($0)> has no end" }
    let entities = content.matches(of: #/&(?!(?:amp|lt|gt|quot|#[0-9]+);)/#)
    if !entities.isEmpty { problems.append("\(entities.count) bare &") }
  }

  /// Texts need a contrast of 4.5, borders one of 3. A dark canvas is at most as light as that of Firefox.
  private mutating func checkColors(_ page: String) {
    let pairs = page.matches(of: #/(background|color): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/#)
    if pairs.count != 2 { problems.append("\(pairs.count) pairs of colors") }
    for pair in pairs {
      let isText = pair.1 == "color"
      for (color, other) in [(pair.2, isText ? "#ffffff" : "#000000"), (pair.3, isText ? "#1c1b22" : "#ffffff")] {
        let contrast = Self.contrast(String(color), other)
        if contrast < 4.5 { problems.append("\(color) on \(other): \(contrast)") }
      }
    }
    for canvas in ["#ffffff", "#1c1b22"] where Self.contrast("#888888", canvas) < 3 {
      problems.append("#888 on \(canvas)")
    }
  }

  /// Returns the contrast ratio of WCAG.
  private static func contrast(_ first: String, _ second: String) -> Double {
    func luminance(_ color: String) -> Double {
      let value = Int(color.dropFirst(), radix: 16) ?? 0
      let parts = [16, 8, 0].map { shift in
        let part = Double((value >> shift) & 0xFF) / 255
        return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
    let (one, other) = (luminance(first), luminance(second))
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }
}
