import Text

/// The error for an argument that is not a place.
///
/// Nothing was sent.
package enum PlaceError: Error, Hashable, Sendable {
  case empty
  case latitudeOutOfRange
  case longitudeOutOfRange
  /// There is only one number.
  case longitudeMissing
  case nameTooLong

  package var description: LocalizedText {
    switch self {
    case .empty: LocalizedText("No place was given.", ko: "장소가 없습니다.")
    case .latitudeOutOfRange:
      LocalizedText("Latitude must be between -90 and 90.", ko: "위도는 -90에서 90 사이입니다.")
    case .longitudeOutOfRange:
      LocalizedText("Longitude must be between -180 and 180.", ko: "경도는 -180에서 180 사이입니다.")
    case .longitudeMissing:
      LocalizedText("Coordinates need a latitude and a longitude.", ko: "숫자로 쓴 장소에는 위도와 경도가 모두 있어야 합니다.")
    case .nameTooLong:
      LocalizedText("A place name can have up to 100 characters.", ko: "장소 이름은 100자까지입니다.")
    }
  }
}
