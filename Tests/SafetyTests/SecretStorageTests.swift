import EmbeddedMarket
import Foundation
import History
import Platform
import Shell
import TestSupport
import Testing

/// The vendor's secret is stored only in the credentials file.
@Suite(.timeLimit(Trial.limit), .startsPrograms) struct SecretStorageTests {
  private let secret = EmbeddedMarket.demoVendor.secret

  @Test(arguments: [false, true])
  func secretIsOnlyInTheCredentialsFile(isFromEnvironment: Bool) async throws {
    try await Town.with { town in
      if isFromEnvironment { try FileManager.default.removeItem(atPath: town.home.credentialsFile) }
      let vendor = EmbeddedMarket.demoVendor
      let environment =
        isFromEnvironment ? ["OPENMARKET_IDENTIFIER": vendor.identifier, "OPENMARKET_SECRET": secret] : [:]
      let processes = Sightings()
      let looks = isFromEnvironment ? ["cmdline"] : ["cmdline", "environ"]
      // A request is in flight, so the program has the secret in memory.
      town.proxy.decide { _ in .answered { processes.look(looks, in: town) } }
      let lines = [
        town.new("Canary"), "patch _ stock=9", "show _ as json | cat /proc/self/environ /proc/self/cmdline",
        "show _ | sleep 0.1", "rm _", "undo", "log as json", "log show 1", "log show 3", "status", "set", "whoami",
        "no-such-command", "help login", "calls as jsonl", "calls as har",
      ]
      let run = try await town.run(lines, environment: environment)
      #expect(run.output.contains("Canary"), "\(run.errors)")
      #expect(!run.output.contains(secret))
      #expect(!run.errors.contains(secret))
      #expect(processes.count > 0)
      #expect(!processes.text.contains(secret))
      #expect(try files(under: town.folder + "/home", with: secret) == (isFromEnvironment ? [] : ["credentials.toml"]))
    }
  }

  /// Eight sessions write to one archive at once: no text of it contains the secret, compressed or not.
  @Test func recordedCallsDoNotContainTheSecret() async throws {
    try await Town.with { town in
      let shells = try (1...8).map { number in
        try town.start([
          town.new("Canary \(number)"), "patch _ stock=9", "show _", "rm _", "undo", "get /api/products auth",
          "raw POST /api/products/1/archived {} auth", "calls 3 as jsonl", "calls session as har",
        ])
      }
      let vendor = EmbeddedMarket.demoVendor
      let canaries = [secret, vendor.identifier, Data(secret.utf8).base64EncodedString()]
      var told = ""
      for shell in shells {
        let ended = await shell.ended()
        told += ended.errors
        #expect(!(ended.output + ended.errors).contains(secret))
        #expect(ended.output.contains("\"log\""), "\(ended.errors)")
      }
      let store = ExchangeStore(at: town.home.callsFile)
      let calls = try store.list(limit: .max)
      #expect(Set(calls.map(\.session)).count == 8, "\(told)")
      #expect(calls.count { $0.method == "POST" } >= 16, "\(told)")
      #expect(calls.count { $0.method == "PATCH" } >= 8, "\(told)")
      for call in calls {
        let content = try #require(try store.call(call.number, now: 0)).content
        let text = [call.path, call.base, call.profile, String(decoding: content, as: UTF8.self)].joined(
          separator: "\n")
        for canary in canaries { #expect(!text.contains(canary), "\(text)") }
      }
      #expect(try files(under: town.folder + "/home", with: secret) == ["credentials.toml"])
    }
  }

  /// The market rejects a wrong secret, which isn't stored or shown either.
  @Test func refusedSecretIsNotStored() async throws {
    try await Town.with { town in
      let wrong = "wrong-canary-7f3a"
      let vendor = EmbeddedMarket.demoVendor
      let run = try await town.run(
        [town.new("Canary"), "log", "log show 1"],
        environment: ["OPENMARKET_IDENTIFIER": vendor.identifier, "OPENMARKET_SECRET": wrong])
      #expect(run.code == 1, "\(run.errors)")
      #expect(!(run.output + run.errors).contains(wrong))
      #expect(try files(under: town.folder + "/home", with: wrong) == [])
      await #expect(try town.faults() == [])
    }
  }

  private func files(under folder: String, with word: String) throws -> [String] {
    let bytes = Data(word.utf8)
    return try FileManager.default.subpathsOfDirectory(atPath: folder).compactMap { path in
      guard let data = FileManager.default.contents(atPath: folder + "/" + path), data.range(of: bytes) != nil else {
        return nil
      }
      return (path as NSString).lastPathComponent
    }.sorted()
  }
}
