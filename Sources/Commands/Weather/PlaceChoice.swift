import Catalog
import Engine
import Platform
import Presentation
import Text
import Weather

/// Several places of one name: whoever is at a terminal is asked which is meant.
struct PlaceChoice {
  private let places: [Weather.Place]
  private let session: Session
  private let context: Context

  init(_ places: [Weather.Place], _ session: Session, _ context: Context) {
    self.places = places
    self.session = session
    self.context = context
  }

  /// An empty answer takes the first, which the service thinks the likeliest.
  ///
  /// - Throws: `Failure` when there is no answer.
  func ask(_ asker: any Asker) async throws -> Weather.Place {
    let tongue = session.settings.tongue
    for (index, place) in places.enumerated() {
      let title = Sanitizer.clean(place.title(in: tongue))
      context.console.say("  \(index + 1)  \(title)  (\(place.coordinate.text))\n")
    }
    let question = Wording("Which one? [1] ", ko: "어느 곳인가요? [1] ")[tongue].plain
    while let answer = await asker.answer(to: question)?.trimmed {
      if answer.isEmpty { return places[0] }
      if let number = Int(answer), places.indices.contains(number - 1) { return places[number - 1] }
      context.say(
        .note("A number from 1 to \(places.count).", ko: "1부터 \(places.count)까지의 숫자입니다."), session)
    }
    throw Failure(.heldBack, .note("No place was chosen.", ko: "장소를 고르지 않았습니다."))
  }
}
