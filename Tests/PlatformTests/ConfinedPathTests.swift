import Foundation
import Platform
import TestSupport
import Testing

/// Paths that a file states: they stay below the folder of the file, whatever they and the folder contain.
@Suite(.timeLimit(Trial.limit)) struct ConfinedPathTests {
  /// A folder `base` beside a folder `outside` with a file `secret`.
  private func withFolder(_ body: (_ base: String, _ outside: String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for name in ["base/sub", "base/.git", "outside"] {
      try FileManager.default.createDirectory(atPath: folder + "/" + name, withIntermediateDirectories: true)
    }
    for name in ["outside/secret", "base/.git/x", "base/sub/a b.png", "base/한.png"] {
      try Data(name.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    }
    try body(folder + "/base", folder + "/outside")
  }

  private func read(_ stated: String, in base: String) throws -> String? {
    try ConfinedPath(stated: stated, below: ConfinedPath(folder: base)).text()
  }

  @Test(arguments: [
    "", ".", "./", "/", "..", "../outside/secret", "sub/../../outside/secret", "sub/..", "/etc/hostname",
    "//etc/hostname",
    "~/secret", "~", "~root/x", ".git/x", "sub/.hidden", "sub//a b.png", "sub/", "a\u{0}b", "sub/\u{0}/../x",
    "..\u{2F}\u{301}x", "/\u{301}x", "sub/\u{301}/../../outside/secret", String(repeating: "a", count: 256),
  ])
  func pathOutsideIsRefused(_ stated: String) throws {
    try withFolder { base, _ in
      #expect(throws: FileError.outside(path: stated)) { try read(stated, in: base) }
    }
  }

  @Test(
    arguments: [
      ("sub/a b.png", "base/sub/a b.png"), ("./sub/./a b.png", "base/sub/a b.png"), ("한.png", "base/한.png"),
      // The name as macOS writes it.
      ("\u{1112}\u{1161}\u{11AB}.png", "base/한.png"), ("none.png", nil), ("none/a.png", nil), ("한.png/x", nil),
      ("a~b", nil), ("a..b", nil), ("sub\\..\\x", nil),
    ] as [(String, String?)])
  func pathBelowIsRead(_ stated: String, _ contents: String?) throws {
    try withFolder { base, _ in
      let found = try read(stated, in: base)
      #expect(found == contents)
    }
  }

  /// A link is neither read nor written through, wherever it is, and what it leads to stays as it is.
  @Test(arguments: ["link", "dir/secret", "sub/up/secret", "dangling"])
  func linkIsNotFollowed(_ stated: String) throws {
    try withFolder { base, outside in
      symlink(outside + "/secret", base + "/link")
      symlink(outside, base + "/dir")
      symlink("../../outside", base + "/sub/up")
      symlink(outside + "/new", base + "/dangling")
      let file = try ConfinedPath(stated: stated, below: ConfinedPath(folder: base))
      #expect(file.kind == .link)
      #expect(throws: FileError.link(path: stated)) { try file.read() }
      #expect(throws: FileError.link(path: stated)) { try file.write(Data("x".utf8)) }
      #expect(throws: FileError.link(path: stated)) { try file.append("x") }
      #expect(throws: (any Error).self) { try file.createFolder() }
      #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == ["secret"])
      #expect(try String(contentsOfFile: outside + "/secret", encoding: .utf8) == "outside/secret")
    }
  }

  /// A link in the path of the folder itself is the user's own.
  @Test func folderBehindALinkIsRead() throws {
    try withFolder { base, outside in
      symlink(base, outside + "/in")
      let found = try read("한.png", in: outside + "/in")
      #expect(found == "base/한.png")
      symlink(base + "/한.png", outside + "/table")
      #expect(ConfinedPath(folderOf: outside + "/table").path.hasSuffix("/base"))
    }
  }

  /// A FIFO is refused without waiting for its writer.
  @Test func otherFilesAreRefused() throws {
    try withFolder { base, _ in
      mkfifo(base + "/pipe", 0o600)
      #expect(throws: FileError.notAFile(path: "pipe")) { try read("pipe", in: base) }
      #expect(throws: FileError.notAFile(path: "sub")) { try read("sub", in: base) }
      let pipe = try ConfinedPath(stated: "pipe", below: ConfinedPath(folder: base))
      #expect(throws: FileError.notAFile(path: "pipe")) { try pipe.write(Data()) }
    }
  }

  /// A file is replaced at once, keeps its mode, and leaves no draft.
  @Test func fileIsReplaced() throws {
    try withFolder { base, _ in
      let file = ConfinedPath(folder: base).appending("kept")
      try file.write(Data("one".utf8), mode: 0o640)
      try file.write(Data("two".utf8))
      try file.append("!")
      var facts = stat()
      #expect(stat(base + "/kept", &facts) == 0 && facts.st_mode & 0o777 == 0o640)
      #expect(try file.text() == "two!")
      #expect(try ConfinedPath(folder: base).fileNames().sorted() == [".git", "kept", "sub", "한.png"])
      #expect(throws: FileError.tooLarge(path: base + "/kept", limit: 3)) { try file.read(limit: 3) }
      file.remove()
      #expect(file.kind == .missing)
    }
  }
}
