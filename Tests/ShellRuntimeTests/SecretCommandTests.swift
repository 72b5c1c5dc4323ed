import EmbeddedMarket
import Foundation
import MarketAPI
import Platform
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// A profile's `secret_command` gives the secret when it is first needed, and stores it nowhere.
@Suite(.timeLimit(Trial.limit)) struct SecretCommandTests {
  private static let vendor = EmbeddedMarket.demoVendor

  /// Opens a sandbox in a profile whose secret comes from a script.
  private func withSandbox(
    _ script: String, environment: [String: String] = [:], timeout: Duration = .seconds(60),
    _ body: (Sandbox) async throws -> Void
  ) async throws {
    try await Sandbox.with(environment: environment, adjusting: { $0.program.secretTimeout = timeout }) { sandbox in
      let path = sandbox.folder + "/secret tool"
      try ExecutableFile.write("#!/bin/sh\n" + script + "\n", to: path)
      try CredentialStore(sandbox.home).save(.init(identifier: Self.vendor.identifier), for: "shop")
      _ = await sandbox.run(
        "profile add shop url=\(sandbox.url.absoluteString) api=open vendor_id=15 secret_command=\"'\(path)' show shop\""
      )
      let opened = await sandbox.run("profile shop")
      #expect(opened.contains("Switched to profile shop."), "\(opened)")
      try await body(sandbox)
    }
  }

  private func runs(in sandbox: Sandbox) -> Int {
    ((try? String(contentsOfFile: sandbox.folder + "/runs", encoding: .utf8)) ?? "").split(separator: "\n").count
  }

  @Test func commandRunsOnceWhenNeeded() async throws {
    try await withSandbox("echo \"$1 $2\" >> \"$(dirname \"$0\")/runs\"; echo \(Self.vendor.secret)") { sandbox in
      _ = await sandbox.run("show 138; ls mine")
      #expect(runs(in: sandbox) == 0)
      #expect(await sandbox.run("session").contains("secret_command") == false)
      let patched = await sandbox.run("patch 138 stock=5 yes")
      #expect(patched.contains("Updated product 138."), "\(patched)")
      _ = await sandbox.run("patch 138 stock=6 yes")
      #expect(runs(in: sandbox) == 1)
      let arguments = try String(contentsOfFile: sandbox.folder + "/runs", encoding: .utf8)
      #expect(arguments == "show shop\n")
      for line in ["session", "whoami", "doctor"] {
        #expect(await sandbox.run(line).contains("secret_command"), "\(line)")
      }
      try expectNoSecret(in: sandbox)
    }
  }

  /// Compares every file of the home folder with the secret.
  private func expectNoSecret(in sandbox: Sandbox) throws {
    let secret = Data(Self.vendor.secret.utf8)
    let names = FileManager.default.enumerator(atPath: sandbox.folder)?.compactMap { $0 as? String } ?? []
    for name in names where name != "secret tool" && !name.contains("demo/") {
      guard let data = FileManager.default.contents(atPath: sandbox.folder + "/" + name) else { continue }
      #expect(data.range(of: secret) == nil, "\(name)")
    }
  }

  @Test func loginRunsTheCommandAndStoresNoSecret() async throws {
    try await withSandbox("echo \(Self.vendor.secret)") { sandbox in
      let login = await sandbox.run("login identifier=\(Self.vendor.identifier) vendor_id=15")
      #expect(login.contains("Logged in."), "\(login)")
      try expectNoSecret(in: sandbox)
    }
  }

  @Test(arguments: [
    ("echo secret-from-tool >&1; echo locked >&2; exit 3", "It ended with exit code 3."),
    ("exec sleep 100", "It did not end within 1 s."),
    ("trap '' TERM INT; while :; do sleep 1; done", "It did not end within 1 s."),
    (":", "It printed no secret in its first line."), ("echo; echo second", "It printed no secret in its first line."),
    ("kill -9 $$", "It was ended by signal 9."),
  ])
  func failureIsReportedWithoutItsOutput(_ script: String, _ reason: String) async throws {
    // Only a program that does not end by itself may reach the limit.
    let limit: Duration = reason.hasPrefix("It did not end") ? .seconds(1) : .seconds(600)
    try await withSandbox(script, timeout: limit) { sandbox in
      let said = await sandbox.run("patch 138 stock=5 yes")
      #expect(said.contains("error: secret_command gave no secret. Nothing was sent."), "\(said)")
      #expect(said.contains(reason) && said.hasSuffix("= 4\n") && !said.contains("secret-from-tool"), "\(said)")
      // What only reads still works.
      #expect(!(await sandbox.run("show 138 stock")).contains("\n= "))
    }
  }

  @Test func firstLineOfTheOutputIsUsedWithANote() async throws {
    try await withSandbox("echo \(Self.vendor.secret); echo 'url: https://shop.example'") { sandbox in
      let said = await sandbox.run("patch 138 stock=5 yes")
      #expect(said.contains("secret_command printed 2 lines. The first one is used as the secret."), "\(said)")
      #expect(said.contains("Updated product 138.") && !said.contains("shop.example"), "\(said)")
    }
  }

  @Test func missingProgramIsNamed() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run(
        "profile add shop url=\(sandbox.url.absoluteString) api=open vendor_id=15 secret_command='no-such-program x'; profile shop"
      )
      let said = await sandbox.run("patch 138 stock=5 yes")
      #expect(said.contains("It cannot be started: No such file or directory.") && said.hasSuffix("= 4\n"), "\(said)")
    }
  }

  @Test(arguments: ["pass show shop | head -1", "pass show $SHOP", "a; b", ""])
  func shellSyntaxIsRefused(_ command: String) async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("profile add shop url=\(sandbox.url.absoluteString)")
      let said = await sandbox.run("profile shop secret_command='\(command)'")
      if command.isEmpty {
        #expect(said.contains("Updated profile shop."), "\(said)")
      } else {
        #expect(said.contains("runs one program without a shell") && said.hasSuffix("= 2\n"), "\(said)")
      }
    }
  }

  @Test func environmentSecretsAreNotInherited() async throws {
    let variables = ["OPENWEATHER_API_KEY": "weather-key", "PLAIN": "kept"]
    try await withSandbox(
      "env > \"$(dirname \"$0\")/variables\"; echo \(Self.vendor.secret)", environment: variables
    ) { sandbox in
      _ = await sandbox.run("patch 138 stock=5 yes")
      let seen = try String(contentsOfFile: sandbox.folder + "/variables", encoding: .utf8)
      #expect(seen.contains("PLAIN=kept") && !seen.contains("weather-key"))
    }
  }

  @Test func secretIsNotSentToAnotherServer() async throws {
    try await withSandbox("echo \(Self.vendor.secret)") { sandbox in
      _ = await sandbox.run("profile shop url=https://other.example")
      #expect(!(await sandbox.run("session")).contains("secret tool"))
    }
  }
}
