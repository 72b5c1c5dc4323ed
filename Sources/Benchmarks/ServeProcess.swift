import Foundation

/// A `serve` process on a free port.
struct ServeProcess {
  let url: String
  private let process = Process()

  /// Starts `serve` with its data in `folder`.
  init(_ program: String, in folder: String) throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["serve", "--port", "0", "--data", folder]
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let address = line.split(whereSeparator: \.isWhitespace).first(where: { $0.hasPrefix("http") }) else {
      process.terminate()
      process.waitUntilExit()
      throw BenchmarkError.failed("serve")
    }
    url = String(address)
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }
}
