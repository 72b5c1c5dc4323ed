import Catalog
import Foundation
import Presentation
import Weather

/// Gives data to a program of the user's choosing, run by `/bin/sh`; the data goes to its standard input and nowhere else.
enum Pipe {
  /// Throws ``Failure`` for a program that cannot be started or does not end with 0, `CancellationError` after Ctrl-C.
  static func run(_ command: String, input: String, environment: [String: String]) async throws {
    try await run(command, input: Array(input.utf8), environment: environment)
  }

  static func run(_ command: String, input: [UInt8], environment: [String: String]) async throws {
    let environment = environment.filter {
      !$0.key.hasPrefix("OPENMARKET_SECRET") && $0.key != OpenWeather.keyVariable
    }
    guard let status = await FedProgram(command, environment: environment).run(input) else {
      throw Failure(
        .refused, .failure("The program could not be started.", ko: "프로그램을 시작하지 못했습니다."))
    }
    try Task.checkCancellation()
    let (code, signal) = (status >> 8 & 0xFF, status & 0x7F)
    if signal != 0 {
      throw Failure(
        .refused,
        .warning("The program was ended by signal \(signal).", ko: "프로그램이 \(signal)번 신호로 끝났습니다."))
    }
    guard code == 0 else {
      throw Failure(.refused, .warning("The program ended with \(code).", ko: "프로그램이 \(code)번으로 끝났습니다."))
    }
  }
}
