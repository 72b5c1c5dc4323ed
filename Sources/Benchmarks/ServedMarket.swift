import Foundation

/// `serve` on a free port, until it is stopped.
struct ServedMarket {
  let url: String
  private let process = Process()

  /// - Parameter folder: keeps the market's data.
  init(_ program: String, in folder: String) throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["serve", "--port", "0", "--data", folder]
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let address = line.split(whereSeparator: \.isWhitespace).last(where: { $0.hasPrefix("http") }) else {
      process.terminate()
      process.waitUntilExit()
      throw BenchmarkError.didNotAnswer("serve")
    }
    url = String(address)
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }
}
