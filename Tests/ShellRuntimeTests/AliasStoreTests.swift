import Commands
import Foundation
import Platform
import Shell
import ShellRuntime
import Testing

/// The files of a home, changed by several sessions at once: no change is lost.
final class AliasStoreTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "stores-\(UUID())").path
  private var home: AppDirectories { AppDirectories(folder: folder) }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func atOnce(_ body: @escaping @Sendable (Int) throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<24 { group.addTask { try body(number) } }
      try await group.waitForAll()
    }
  }

  @Test func parallelProfileChangesAreKept() async throws {
    try await atOnce { [home] in
      try ProfileStore(home).set("shop\($0)", Profile(url: "https://shop\($0).example"))
    }
    #expect(try ProfileStore(home).load().count == 25)
  }

  @Test func parallelAliasChangesAreKept() async throws {
    try await atOnce { [home] in try AliasStore(home, AllCommands.grammar).set("short\($0)", "show \($0)") }
    #expect(try AliasStore(home, AllCommands.grammar).load().count == 24)
  }

  /// The file is private with any umask and creator, because aliases may contain private data.
  @Test(arguments: [false, true]) func aliasFileIsPrivate(isThere: Bool) async {
    let folder = FileManager.default.temporaryDirectory.appending(path: "aliases-\(UUID())").path
    await #expect(processExitsWith: .success) { [isThere = isThere as Bool, folder = folder as String] in
      umask(0)
      let home = AppDirectories(folder: folder)
      if isThere {
        try FileManager.default.createDirectory(atPath: home.configuration, withIntermediateDirectories: true)
        try "alias cheap = 'ls where price<100'\n".write(toFile: home.aliasesFile, atomically: false, encoding: .utf8)
        #expect(chmod(home.aliasesFile, 0o777) == 0)
      }
      try AliasStore(home, AllCommands.grammar).set("dear", "ls where price>100")
      #expect(try AliasStore(home, AllCommands.grammar).load().count == (isThere ? 2 : 1))
      var facts = stat()
      #expect(lstat(home.aliasesFile, &facts) == 0 && facts.st_mode & 0o7777 == 0o600)
      // No temporary file is left.
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.configuration) == ["aliases.market"])
      try FileManager.default.removeItem(atPath: folder)
    }
  }

  @Test func crlfAliasFileIsRead() throws {
    try AliasStore(home, AllCommands.grammar).set("cheap", "ls where price<100")
    let path = home.aliasesFile
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let more = text.replacing("\n", with: "\r\nalias dear = 'ls where price>100'\r\n")
    try Data(more.utf8).write(to: URL(filePath: path))
    let aliases = try AliasStore(home, AllCommands.grammar).load()
    #expect(aliases == ["cheap": "ls where price<100", "dear": "ls where price>100"])
  }
}
