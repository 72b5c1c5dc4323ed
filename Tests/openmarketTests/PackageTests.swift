import Foundation
import Pacing
import Testing

/// The package built by `.ci/package`, named by OPENMARKET_PACKAGE, is installed into a root with only its
/// dependencies, used, and removed.
///
/// Prints sizes and start times. It needs root, and is skipped if no package is named.
@Suite(.waiting, .timeLimit(Trial.limit)) struct PackageTests {
  private static let package = ProcessInfo.processInfo.environment["OPENMARKET_PACKAGE"]

  @Test(.enabled(if: PackageTests.package != nil)) func installsRunsAndGoes() throws {
    let home = try TemporaryHome()
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = [
      "-eu", URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/package/install.sh").path,
    ]
    process.environment = [
      "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "FOLDER": home.path,
      "PACKAGE": PackageTests.package ?? "",
    ]
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let said = String(decoding: bytes, as: UTF8.self) + "= \(process.terminationStatus)\n"
    try Golden("package/install").check(said)
    print(try String(contentsOfFile: home.path + "/figures", encoding: .utf8), terminator: "")
  }
}
