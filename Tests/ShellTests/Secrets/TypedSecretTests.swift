import Foundation
import Platform
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// A secret that is typed in a line isn't stored anywhere: in a file of the home, a saved script, an alias, or a file
/// name.
@Suite(.timeLimit(Trial.limit)) struct TypedSecretTests {
  /// The secret in use, and an unknown one.
  private static let known = "typed-canary-7f3a"
  private static let other = "other-canary-9b1c"

  static let lines = [
    "search typed-canary-7f3a", "echo typed-'canary-7f3a'", #"echo "typed-\u{63}anary-7f3a""#,
    "nothing typed-canary-7f3a",
    "ls size 1 # typed-canary-7f3a", "alias x = search typed-canary-7f3a", "let x = 'typed-canary-7f3a'",
    "echo dHlwZWQtY2FuYXJ5LTdmM2E=", "ls to '~/typed-canary-7f3a.csv'", "save '~/typed-canary-7f3a.market'",
    "export '~/typed-canary-7f3a.csv'", "export OPENMARKET_SECRET='typed-canary-7f3a'",
    "expect '~/typed-canary-7f3a.json'", "plan patch 12 stock=3 to '~/typed-canary-7f3a.plan'",
    "profile add far url=http://me:other-canary-9b1c@127.0.0.1:1", "get http://me:other-canary-9b1c@127.0.0.1:1/",
    "set proxy http://other-canary-9b1c@127.0.0.1:1", "ls size 1 # secret=other-canary-9b1c",
    "get /healthChecker?appid=other-canary-9b1c", "export OPENMARKET_SECRET='other-canary-9b1c'",
    "ls to '~/secret=other-canary-9b1c.csv'", "login secret=other-canary-9b1c",
  ]

  @Test func lineWithASecretIsNotStored() async throws {
    try await Sandbox.with(environment: ["OPENMARKET_SECRET": Self.known]) { sandbox in
      _ = await sandbox.run("ls size 1 as json; expect '~/seen.json'")
      for line in Self.lines { _ = await sandbox.shell.run(line) }
      _ = await sandbox.run("format")
      let history = await sandbox.exactly("history session as json")
      #expect(await sandbox.shell.run("save '~/session.market' expect") == .success)
      _ = await sandbox.run("explain")
      try await sandbox.expectNothing(of: [Self.known, Self.other])
      #expect(!history.contains("canary"), "\(history)")
      let saved = try String(contentsOfFile: sandbox.folder + "/session.market", encoding: .utf8)
      #expect(saved.contains("# A line that may contain a secret was omitted."), "\(saved)")
      #expect(try sandbox.reopened().aliases.isEmpty)
    }
  }

  /// A secret of another profile is known as well, and a very short one only as a separate word.
  @Test func secretsOfOtherProfilesAreRecognized() async throws {
    try await Sandbox.with { sandbox in
      try Files.createDirectory((sandbox.home.credentialsFile as NSString).deletingLastPathComponent)
      try Files.write(
        Data("[vendors.far]\nidentifier = \"me\"\nsecret = \"\(Self.known)\"\n[vendors.near]\nsecret = \"q7\"\n".utf8),
        to: sandbox.home.credentialsFile, mode: 0o600)
      let context = await sandbox.shell.context
      let again = CommandContext(
        RunningProgram(
          commands: context.program.commands, lines: context.program.lines, console: sandbox.console),
        Stores(home: sandbox.home, journal: context.stores.journal, freshName: context.stores.freshName),
        through: context.network.bareTransport, embedded: context.network.embedded)
      let scope = CommandScope(await sandbox.shell.session, again)
      #expect(scope.holdsSecret("search x\(Self.known)y"))
      #expect(scope.holdsSecret("search q7") && !scope.holdsSecret("search aq7b"))
    }
  }
}

extension Sandbox {
  /// Checks that no file or file name in the sandbox contains one of the words.
  fileprivate func expectNothing(of words: [String]) async throws {
    await shell.context.stores.recording.exchanges?.flush()
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      let bytes = FileManager.default.contents(atPath: folder + "/" + path) ?? Data()
      for word in words {
        #expect(!path.contains(word), "\(path)")
        #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) in \(path)")
      }
    }
  }
}
