import Foundation
import Platform
import Testing
import Text

/// The power of the machine that a town's shells run on.
///
/// When it fails, unsynced data of their home is lost.
///
/// A preloaded library records what each `fsync` and `fdatasync` makes durable (see `LostWrites/lost-writes.c`). When
/// the power is switched on, everything is durable.
struct PowerSupply {
  private let home: String
  private let shadow: String

  init(of town: Town) {
    home = town.folder + "/home"
    shadow = town.folder + "/durable"
  }

  /// Returns the environment of a program whose writes are recorded.
  ///
  /// `ignored` is a part of paths that are never synced, as with `PRAGMA synchronous = OFF`.
  func environment(ignoring ignored: String? = nil) throws -> [String: String] {
    var environment = [
      "LD_PRELOAD": try PowerSupply.library.get(), "LOST_WRITES_ROOT": home, "LOST_WRITES_SHADOW": shadow,
    ]
    environment["LOST_WRITES_IGNORED"] = ignored
    return environment
  }

  /// Makes all current data durable.
  func comesOn() throws {
    try? FileManager.default.removeItem(atPath: shadow)
    try Files.createDirectory(shadow)
    try note(home)
  }

  /// Restores the home to the durable data after a power failure.
  ///
  /// No program may run there.
  func fails() throws {
    let root = try PowerSupply.facts(home).inode
    try restore(root, to: home + ".after")
    try FileManager.default.removeItem(atPath: home)
    try FileManager.default.moveItem(atPath: home + ".after", toPath: home)
  }

  private func note(_ folder: String) throws {
    var lines = ""
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let path = folder + "/" + name
      let (inode, isFolder) = try PowerSupply.facts(path)
      lines += "\(inode) \(isFolder ? "d" : "f") \(name)\n"
      if isFolder {
        try note(path)
      } else {
        try FileManager.default.copyItem(atPath: path, toPath: shadow + "/f\(inode)")
      }
    }
    try Files.write(Data(lines.utf8), to: shadow + "/d\(PowerSupply.facts(folder).inode)")
  }

  /// Restores a folder.
  ///
  /// A folder or file that was created and never synced is empty.
  private func restore(_ inode: UInt64, to folder: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    guard let lines = try? String(contentsOfFile: shadow + "/d\(inode)", encoding: .utf8) else { return }
    for line in lines.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 2)
      guard parts.count == 3, let inode = UInt64(parts[0]) else { continue }
      let path = folder + "/" + parts[2]
      if parts[1] == "d" {
        try restore(inode, to: path)
      } else {
        let bytes = FileManager.default.contents(atPath: shadow + "/f\(inode)") ?? Data()
        try Files.write(bytes, to: path, mode: 0o600)
        try putBackIntoPlace(path, bytes)
      }
    }
  }

  /// Replaces a restored file by the one that was there, with the same bytes: a power failure leaves a file the same file.
  private func putBackIntoPlace(_ path: String, _ bytes: Data) throws {
    let old = home + path.dropFirst((home + ".after").count)
    let file = open(old, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { return }
    let code = bytes.withUnsafeBytes { Descriptor.writeAll($0, to: file) }
    close(file)
    guard code == 0, rename(old, path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  private static func facts(_ path: String) throws -> (inode: UInt64, isFolder: Bool) {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return (UInt64(facts.st_ino), facts.st_mode & S_IFMT == S_IFDIR)
  }

  /// The error if there is no C compiler.
  struct NotCompiled: Error, CustomStringConvertible {
    let description: String
  }

  /// The library, compiled once.
  private static let library = Result { try compile() }

  private static func compile() throws -> String {
    let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "LostWrites/lost-writes.c").path
    let path = NSTemporaryDirectory() + "lost-writes-\(getpid()).so"
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["cc", "-shared", "-fPIC", "-O1", "-o", path, source, "-ldl"]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw NotCompiled(description: "cc cannot compile \(source)") }
    return path
  }
}
