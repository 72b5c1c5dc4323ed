import Foundation
import Platform
import ShellRuntime
import Testing

extension Sandbox {
  /// Runs a program of the system in a folder, and fails unless it exits with 0.
  package static func execute(_ words: String..., in folder: String, input: String = "/dev/null") throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.currentDirectoryURL = URL(filePath: folder)
    process.standardInput = FileHandle(forReadingAtPath: input)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(words)")
  }

  /// Makes a key `~/NAME`, and adds it to the allowed signers as `principal` unless that is nil.
  package func makeKey(_ name: String, as principal: String?) throws {
    try Sandbox.execute("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", name, in: folder)
    guard let principal else { return }
    let key = try String(contentsOfFile: folder + "/\(name).pub", encoding: .utf8)
    let file = home.configuration + "/allowed_signers"
    let old = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    try Files.createDirectory(home.configuration)
    try (old + principal + " " + key).write(toFile: file, atomically: false, encoding: .utf8)
    chmod(file, 0o644)
  }
}
