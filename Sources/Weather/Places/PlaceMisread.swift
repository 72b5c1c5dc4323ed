/// Why words are no place; nothing was sent.
package enum PlaceMisread: Error, Hashable, Sendable {
  case empty
  case latitudeOutOfRange
  case longitudeOutOfRange
  /// One number alone.
  case longitudeMissing
  case nameTooLong

  package var reason: Phrase {
    switch self {
    case .empty: Phrase("No place was given.", ko: "장소가 없습니다.")
    case .latitudeOutOfRange:
      Phrase("A latitude lies between -90 and 90.", ko: "위도는 -90에서 90 사이입니다.")
    case .longitudeOutOfRange:
      Phrase("A longitude lies between -180 and 180.", ko: "경도는 -180에서 180 사이입니다.")
    case .longitudeMissing:
      Phrase("A place by numbers needs a latitude and a longitude.", ko: "숫자로 쓴 장소에는 위도와 경도가 모두 있어야 합니다.")
    case .nameTooLong:
      Phrase("The name of a place has at most 100 characters.", ko: "장소 이름은 100자까지입니다.")
    }
  }
}
