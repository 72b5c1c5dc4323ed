import Catalog
import Foundation
import Presentation
import Weather

/// Gives data to a program of the user's choosing, run by `/bin/sh`; the data goes to its standard input and nowhere else.
enum Pipe {
  static func run(_ command: String, input: String, environment: [String: String]) async throws {
    let process = Process()
    let stream = Foundation.Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.environment = environment.filter {
      !$0.key.hasPrefix("OPENMARKET_SECRET") && $0.key != OpenWeather.keyVariable
    }
    process.standardInput = stream
    do {
      try process.run()
    } catch {
      throw Failure(
        .refused,
        .failure("The program could not be started.", ko: "프로그램을 시작하지 못했습니다.")
          .because("/bin/sh: \(String(describing: error))", ko: "/bin/sh: \(String(describing: error))"))
    }
    // A program that stops reading is not an error: `| head -1`.
    try? Descriptor.write(input, to: stream.fileHandleForWriting.fileDescriptor)
    try? stream.fileHandleForWriting.close()
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      let status = process.terminationStatus
      throw Failure(
        .refused,
        .warning("The program ended with \(status).", ko: "프로그램이 \(status)번으로 끝났습니다."))
    }
  }
}
