import EmbeddedMarket
import Foundation
import MarketAPI
import Networking
import Shell
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing

/// The output of `curl`, run by a real shell and curl, has the same effect on a market as the command.
@Suite(.timeLimit(Trial.limit)) struct CurlPrefixTests {
  /// A name that every quoting must preserve: shell, curl, form and JSON.
  private static let awkward =
    #"name="It's \"A;B\" \u{24}HOME `id` \\n <@c 👩\u{200D}🚀" description="two\nlines, a; \"semicolon\" and a \\ backslash""#

  private static func writes(_ edition: Edition) -> [String] {
    var lines = [
      "new \(awkward) price=3500 discount=100 currency=KRW stock=2 images=~/cup.png"
        + (edition == .open ? ",~/big.png" : ""),
      "patch 142 price=3300 stock+=5", "patch 142 \(awkward.replacing("lines", with: "more lines"))",
      "patch 142 price=3000 discount=300",
    ]
    switch edition {
    case .camp1, .camp2: lines.append("patch 142 images=~/cup.png")
    case .training: break
    case .open: lines.append("patch 142 thumbnail=2")
    }
    return lines + ["undo", "rm 142", "new \(awkward) price=1 currency=USD stock=0 images=~/cup.png", "rm 143"]
  }

  @Test(arguments: Edition.allCases) func printedWritesHaveTheSameEffect(_ edition: Edition) async throws {
    try await Sandbox.with(options: options(edition), edition: served(edition)) { sandbox in
      try sandbox.writePictures()
      try await Sandbox.with(options: self.options(edition), edition: self.served(edition)) { twin in
        try twin.writePictures()
        for line in CurlPrefixTests.writes(edition) {
          // An undo depends on the writes of its own home.
          guard line != "undo" else { continue }
          let said = await sandbox.run(line + " yes")
          #expect(!said.contains("\n= ") && !said.hasPrefix("= "), "\(said)")
          let script = await twin.exactly("curl " + line)
          let answer = try await Sh.run(script)
          #expect(answer.status == 0, "\(line): \(script)\n\(answer.error)")
          for id in [142, 143] {
            #expect(await sandbox.run("show \(id) as json") == twin.run("show \(id) as json"), "\(line)\n\(script)")
          }
        }
        #expect(await sandbox.run("ls size 5 as json") == twin.run("ls size 5 as json"))
      }
    }
  }

  /// The address of the built-in market ends with a command of the system's shell, which is said; at a prompt it stays.
  @Test(arguments: [true, false]) func endOfThePrintedAddressIsSaid(_ isInteractive: Bool) async throws {
    try await Sandbox.with(width: 80, adjusting: { $0.program.isInteractive = isInteractive }) { sandbox in
      let printed = await sandbox.run("curl show 72")
      #expect(printed.contains("/api/products/72"), "\(printed)")
      #expect(printed.contains("The built-in market ends with this command") != isInteractive, "\(printed)")
    }
  }

  /// Undo and redo are plans, and print the requests that they would send.
  @Test(arguments: Edition.allCases) func printedUndoHasTheSameEffect(_ edition: Edition) async throws {
    try await Sandbox.with(options: options(edition), edition: served(edition)) { sandbox in
      try sandbox.writePictures()
      _ = await sandbox.run(
        "new name='우유병 텀블러' description='보온이 잘 되는 텀블러입니다' price=3500 currency=KRW images=~/cup.png yes")
      _ = await sandbox.run("patch _ price=3300 yes")
      let script = await sandbox.exactly("curl undo")
      let answer = try await Sh.run(script)
      #expect(answer.status == 0, "\(answer.error)")
      #expect(await sandbox.run("show 142 price as json") == "{\"price\":3500}\n")
      let log = await sandbox.run("log as json")
      #expect(log.contains("\"action\":\"patch\"") && !log.contains("undone"), "\(log)")
    }
  }

  @Test(arguments: Edition.allCases) func printedReadsHaveTheSameResponse(_ edition: Edition) async throws {
    let last = LastReply()
    try await Sandbox.with(
      options: options(edition), edition: served(edition), between: { door, _ in last.behind(door) }
    ) {
      sandbox in
      var lines = ["ls", "ls page 2", "show 12"]
      if Dialect(edition).supports(.search) { lines.append("search '구름 & co'") }
      if Dialect(edition).supports(.checkHealth) { lines.append("health") }
      for line in lines {
        _ = await sandbox.run(line)
        let wanted = last.body
        let answer = try await Sh.run(sandbox.exactly("curl " + line))
        #expect(answer.output == wanted, "\(line)")
      }
      last.forget()
      _ = await sandbox.exactly("curl ls")
      #expect(last.body == "", "curl must not send what it prints")
    }
  }

  @Test func curlSendsNothingAndPrintsNoSecret() async throws {
    try await Sandbox.with { sandbox in
      let vendor = EmbeddedMarket.demoVendor
      for line in ["patch 12 price=1 outliers", "rm 12", "rm 12,13", "rm where stock<3 yes"] {
        let script = await sandbox.exactly("curl " + line)
        #expect(script.contains("curl \\\n  -X "), "\(line): \(script)")
        #expect(!script.contains(vendor.secret) && !script.contains(vendor.identifier))
      }
      #expect(await sandbox.run("show 12 price as json") == "{\"price\":288000}\n")
      #expect(await sandbox.run("log as json").hasSuffix("[]\n"))
    }
  }

  /// The prefixes print requests, or that nothing was saved, and leave no file, folder or snapshot.
  @Test(
    arguments: [
      "export ~/new.csv", "snapshot new", "snapshot rm old", "pull ~/new", "save ~/new.market", "image 42 to ~/new.png",
      "plan patch 42 stock=1 to ~/new.json",
    ], ["curl", "dry"])
  func prefixSavesNothing(_ line: String, _ prefix: String) async throws {
    // A printed text goes to the file of `to`, as that of every command.
    guard !(prefix == "curl" && line.contains(" to ")) else { return }
    try await Sandbox.with { sandbox in
      for first in ["ls", "snapshot old"] { _ = await sandbox.run(first) }
      let snapshots = await sandbox.run("snapshot list as csv")
      let said = await sandbox.run("\(prefix) \(line)")
      let isRead = !line.hasPrefix("snapshot rm") && !line.hasPrefix("save")
      #expect(said.contains("/api/products?") == (prefix == "curl" && isRead), "\(said)")
      #expect(prefix == "curl" || line.hasPrefix("pull") || said.contains("Dry run: nothing was saved."), "\(said)")
      #expect(await sandbox.run("snapshot list as csv") == snapshots && snapshots.contains("old"))
      #expect(!FileManager.default.fileExists(atPath: sandbox.folder + "/new"))
      let files = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder)
      #expect(!files.contains { $0.hasPrefix("new") }, "\(files)")
    }
  }

  private func options(_ edition: Edition) -> SessionOptions {
    var options = SessionOptions()
    options.edition = edition
    return options
  }

  private func served(_ edition: Edition) -> ServedEdition { ServedEdition(rawValue: edition.rawValue) ?? .open }

  /// A transport wrapper that records the body of the last response.
  private final class LastReply: Sendable {
    private let kept = Mutex("")
    var body: String { kept.withLock { $0 } }
    func forget() { kept.withLock { $0 = "" } }

    func behind(_ door: any Transport) -> any Transport {
      ObservedTransport(door) { exchange in
        guard let reply = try? exchange.outcome.get() else { return }
        self.kept.withLock { $0 = String(decoding: reply.body, as: UTF8.self) }
      }
    }
  }
}
