import Platform
import Presentation
import ShellRuntime
import Text
import WeatherAPI

/// The choice between several places of the same name by a user at a terminal.
struct PlacePrompt {
  private let places: [WeatherAPI.Place]
  private let session: Session
  private let context: CommandContext

  init(_ places: [WeatherAPI.Place], _ session: Session, _ context: CommandContext) {
    self.places = places
    self.session = session
    self.context = context
  }

  /// Asks for a place.
  ///
  /// An empty reply chooses the first, which the service considers most likely.
  ///
  /// - Throws: `CommandError` if there is no reply.
  func ask() async throws -> WeatherAPI.Place {
    let language = session.settings.language
    for (index, place) in places.enumerated() {
      let title = Sanitizer.sanitized(place.title(in: language))
      context.console.writeMessage("  \(index + 1)  \(title)  (\(place.coordinate.text))\n")
    }
    let question = LocalizedText("Which one? [1] ", ko: "어느 곳인가요? [1] ")
    while let answer = await context.answer(to: question, session), !ConfirmationPrompt.isNo(answer) {
      if answer.isEmpty { return places[0] }
      if let number = Int(answer), places.indices.contains(number - 1) { return places[number - 1] }
      context.say(
        .note("Enter a number from 1 to \(places.count).", ko: "1부터 \(places.count)까지의 숫자입니다."), session)
    }
    throw CommandError(.blocked, .note("No place was selected.", ko: "장소를 고르지 않았습니다."))
  }
}
