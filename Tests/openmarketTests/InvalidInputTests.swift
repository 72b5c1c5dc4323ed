import TerminalTesting
import TestSupport
import Testing

/// Invalid input, and input that must not be sent, is rejected with a message and its exit code, and no write is sent.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct InvalidInputTests {
  @Test func invalidLinesAreRefusedWithoutWrites() throws {
    let home = try TemporaryHome()
    let picture = try home.file("a.png", noisePNG(width: 8, height: 8))
    let note = try home.file("note.txt", "not a picture")
    var table = RunTable("bad-input")
    let whole = "name=Tumbler description='It keeps tea warm.' price=100 currency=KRW"
    let lines = [
      "lst", "ls page 0", "ls page -1", "ls size 5000", "ls pag 2", "ls > out", "ls \"open", "ls 'open", "show",
      "show abc", "show @1", "show _", "show 999999", "next", "ls as yaml", "ls to /proc/nonexistent/out.csv",
      "patch 42 price=19,99", "patch 42 price=1e3", "patch 42 price=-5", "patch 42 price=0.001", "patch 42 stock=-1",
      "patch 42 stock=1.5", "patch 42 currency=XYZ", "patch 42 discount=3501", "patch 42 name=ab",
      "patch 42 colour=red",
      "patch 42 description=short", "patch 42", "patch 42 price=3600", "patch 42 price=3500 yes",
      "patch 42 price=1 yes",
      "patch 7 price=5 yes", "rm 42", "rm", "r 42", "new name=ab", "new \(whole)",
      "new \(whole) images=/nonexistent/a.jpg yes", "new \(whole) images=\(note) yes",
      "new \(whole) images=/dev/null yes",
      "new \(whole) images=\(home.path) yes", "new \(whole) images=\(picture) discount=101 yes",
      "new \(whole) images=\(Array(repeating: picture, count: 6).joined(separator: ",")) yes",
      "new \(whole) images=\(picture)", "login secret=hunter2", "profile nowhere", "set nothing", "set page-size 0",
      "format yaml", "help xyzzy",
    ]
    for line in lines {
      let server = try RecordingServer(SmallMarket.answer)
      let result = try openmarket(
        ["--url", server.url, "--api", "open", "--home", home.path + "/home", "-c", line],
        environment: SmallMarket.vendor)
      #expect(server.writes.isEmpty, "\(line)")
      table.add(
        line, result, requests: server.requests, hiding: [server.url: "URL", home.path: "HOME"])
    }
    try table.check()
  }

  @Test func scriptThatIsNotTextIsRefused() throws {
    let home = try TemporaryHome()
    let script = try home.file(
      "bad.market", Array("health\necho ".utf8) + [0xC3, 0x28, 0x0A] + Array("rm 42 yes\n".utf8))
    let server = try RecordingServer(SmallMarket.answer)
    var table = RunTable("not-text")
    for options in [[], ["--keep-going"], ["--check"]] {
      let result = try openmarket(
        options + ["--url", server.url, "--api", "open", "--home", home.path + "/home", "--read-only", "-f", script],
        environment: SmallMarket.vendor)
      table.add(options.joined(), result, hiding: [home.path: "HOME"])
    }
    #expect(server.writes.isEmpty)
    try table.check()
  }
}
