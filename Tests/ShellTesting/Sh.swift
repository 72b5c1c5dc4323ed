import EmbeddedMarket
import Foundation

/// A POSIX shell with curl and, unless others are given, the demo vendor's credentials as variables.
package enum Sh {
  package struct Answer {
    package var status: Int32
    package var output: String
    package var error: String
  }

  package static let credentials = [
    "OPENMARKET_IDENTIFIER": EmbeddedMarket.demoVendor.identifier,
    "OPENMARKET_SECRET": EmbeddedMarket.demoVendor.secret,
  ]

  /// The variables of the demo vendor with another secret.
  package static func credentials(secret: String) -> [String: String] {
    credentials.merging(["OPENMARKET_SECRET": secret]) { $1 }
  }

  /// Runs a script and waits on a separate thread, because the market under test needs the pool.
  package static func run(_ script: String, environment: [String: String] = credentials) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try runHere(script, environment) }) }
    }
  }

  private static func runHere(_ script: String, _ environment: [String: String]) throws -> Answer {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    process.currentDirectoryURL = URL(fileURLWithPath: "/")
    process.environment = ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
    let output = Pipe()
    let error = Pipe()
    process.standardOutput = output
    process.standardError = error
    try process.run()
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    let complained = try error.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Answer(
      status: process.terminationStatus, output: String(decoding: said, as: UTF8.self),
      error: String(decoding: complained, as: UTF8.self))
  }
}
