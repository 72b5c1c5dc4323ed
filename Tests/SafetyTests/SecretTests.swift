import EmbeddedMarket
import Foundation
import Pacing
import Platform
import Shell
import Testing

/// The vendor's secret is in the file for it and nowhere else.
@Suite(.timeLimit(Trial.limit)) struct SecretTests {
  private let secret = EmbeddedMarket.demoVendor.secret

  @Test(arguments: [false, true])
  func theSecretIsNowhere(isFromEnvironment: Bool) async throws {
    try await Town.with { town in
      if isFromEnvironment { try FileManager.default.removeItem(atPath: town.home.credentialsFile) }
      let vendor = EmbeddedMarket.demoVendor
      let environment =
        isFromEnvironment ? ["OPENMARKET_IDENTIFIER": vendor.identifier, "OPENMARKET_SECRET": secret] : [:]
      let processes = Sightings()
      let looks = isFromEnvironment ? ["cmdline"] : ["cmdline", "environ"]
      // A request is under way: the program holds the secret in its hands.
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

  /// The market says no to a wrong secret; that one is kept quiet about too.
  @Test func aRefusedSecretIsNowhere() async throws {
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
