import CommandLanguage
import Networking
import Platform
import Presentation
import Text
import WeatherAPI

extension ParseError {
  package init(_ misread: PlaceError) {
    self.init(
      misread.description,
      suggestion: LocalizedText(
        "For example: \(.command("weather 37.57 126.98")) or \(.command("weather Seoul"))",
        ko: "예: \(.command("weather 37.57 126.98")), \(.command("weather 서울"))"))
  }
}

extension CommandError {
  package init(_ error: WeatherError) {
    self.init(
      error.exitStatus,
      CommandError.noWeather.because(CommandError.sentence(error.reason)).withHint(error.recoverySuggestion))
  }

  /// Creates the failure for a weather report without any data.
  ///
  /// Every failed part is listed.
  package init(_ report: WeatherReport) {
    var message = CommandError.noWeather
    for failure in report.failures {
      message = message.because(
        "\(failure.name.english): \(failure.error.reason.english).",
        ko: "\(failure.name.korean): \(failure.error.reason.korean).")
    }
    let isUnreached = report.errors.allSatisfy { $0.exitStatus == .unreachable }
    self.init(
      isUnreached ? .unreachable : .refused, message.withHint(report.errors.compactMap(\.recoverySuggestion).first))
  }

  private static let noWeather = Message.failure("No weather available.", ko: "표시할 날씨가 없습니다.")

  /// Returns a clause as a sentence, with a capital letter and a period.
  private static func sentence(_ words: LocalizedText) -> LocalizedText {
    var english = words.english
    if let first = english.runs.indices.first {
      let text = english.runs[first].text
      english.runs[first].text = text.prefix(1).uppercased() + text.dropFirst()
    }
    return LocalizedText("\(english).", ko: "\(words.korean).")
  }
}

extension Message {
  fileprivate func withHint(_ advice: LocalizedText?) -> Message { advice.map { next($0) } ?? self }
}

extension WeatherError {
  /// The exit status for this reason.
  var exitStatus: ExitStatus {
    switch self {
    case .keyMissing, .keyMalformed: .blocked
    case .unreachable(let reason): TransportError(reason, extent: .complete).isAnswered ? .refused : .unreachable
    case .timedOut: .unreachable
    case .keyRefused, .notFound, .badRequest, .tooManyRequests, .serverError, .refused, .unreadable: .refused
    }
  }
}
