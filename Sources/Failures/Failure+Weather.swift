import Catalog
import Language
import Platform
import Presentation
import Text
import Weather

extension ParseError {
  package init(_ misread: PlaceError) {
    self.init(
      misread.reason,
      next: LocalizedText(
        "\(.command("weather 37.57 126.98")), \(.command("weather 서울"))",
        ko: "\(.command("weather 37.57 126.98")), \(.command("weather 서울"))"))
  }
}

extension Failure {
  package init(_ error: WeatherError) {
    self.init(
      error.exitStatus,
      Failure.noWeather.because(Failure.clause(error.reason)).advised(error.advice))
  }

  /// Nothing of the weather came; every part is named.
  package init(_ report: WeatherReport) {
    var message = Failure.noWeather
    for failure in report.failures {
      message = message.because(
        "\(failure.name.english): \(failure.error.reason.english).",
        ko: "\(failure.name.korean): \(failure.error.reason.korean).")
    }
    let isUnreached = report.errors.allSatisfy { $0.exitStatus == .unreachable }
    self.init(isUnreached ? .unreachable : .refused, message.advised(report.errors.compactMap(\.advice).first))
  }

  private static let noWeather = Message.failure("There is no weather to show.", ko: "보여 줄 날씨가 없습니다.")

  /// A clause as a sentence.
  private static func clause(_ words: LocalizedText) -> LocalizedText {
    var english = words.english
    if let first = english.runs.indices.first {
      let text = english.runs[first].text
      english.runs[first].text = text.prefix(1).uppercased() + text.dropFirst()
    }
    return LocalizedText("\(english).", ko: "\(words.korean).")
  }
}

extension Message {
  fileprivate func advised(_ advice: LocalizedText?) -> Message { advice.map { next($0) } ?? self }
}

extension WeatherError {
  /// The exit code of a failure for this reason.
  var exitStatus: ExitStatus {
    switch self {
    case .keyMissing, .keyUnusable: .heldBack
    case .unreachable, .timedOut: .unreachable
    case .keyRefused, .notFound, .badRequest, .tooManyRequests, .serverTrouble, .refused, .unreadable: .refused
    }
  }
}
