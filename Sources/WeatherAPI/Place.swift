import Foundation
import Text

/// The place of a profile's weather: a point and its name.
package struct Place: Hashable, Sendable {
  package var coordinate: Coordinate
  /// The name in Latin letters as the service writes it, or `nil` for a place given by coordinates.
  package var name: String?
  package var koreanName: String?
  /// The ISO 3166 country code.
  package var country: String?
  package var state: String?

  package init(
    _ coordinate: Coordinate, name: String? = nil, koreanName: String? = nil, country: String? = nil,
    state: String? = nil
  ) {
    self.coordinate = coordinate
    self.name = name
    self.koreanName = koreanName
    self.country = country
    self.state = state
  }

  package func name(in language: MessageLanguage) -> String? {
    switch language {
    case .english: name
    case .korean: koreanName ?? name
    }
  }

  /// Returns the full name, such as `London, Ohio, US`, which distinguishes places of the same name.
  package func title(in language: MessageLanguage) -> String {
    [name(in: language) ?? coordinate.text, state, country].compactMap(\.self).joined(separator: ", ")
  }
}

/// A valid point on the earth, in degrees.
package struct Coordinate: Hashable, Sendable {
  /// The latitude, -90 to 90, positive to the north.
  package let latitude: Double
  /// The longitude, -180 to 180, positive to the east.
  package let longitude: Double

  /// Creates a point.
  ///
  /// - Throws: `PlaceError` if it is out of range, for which the service's message would only be "wrong latitude".
  package init(latitude: Double, longitude: Double) throws(PlaceError) {
    guard latitude.isFinite, (-90...90).contains(latitude) else { throw .latitudeOutOfRange }
    guard longitude.isFinite, (-180...180).contains(longitude) else { throw .longitudeOutOfRange }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The latitude with at most four decimals, which are eleven metres, such as `37.5798`.
  package var latitudeText: String { DecimalText.trimmed(latitude, 4) }
  package var longitudeText: String { DecimalText.trimmed(longitude, 4) }

  /// The point as text, such as `37.5798, 126.9771`.
  package var text: String { latitudeText + ", " + longitudeText }
}

/// The argument of `weather`: two numbers, or a name to look up.
package enum PlaceQuery: Hashable, Sendable {
  case coordinate(Coordinate)
  case name(String)

  /// Parses `37.57 126.98`, `37.57,126.98`, `-33.87, 151.2`, `서울`, `London, GB`.
  ///
  /// - Throws: `PlaceError` for a single number, a point out of range, and an empty or too long name.
  package init(_ text: String) throws(PlaceError) {
    let words = text.split { $0 == "," || $0.isWhitespace }.map(String.init)
    guard !words.isEmpty else { throw .empty }
    let numbers = words.compactMap(DecimalText.parse)
    if numbers.count == words.count {
      guard numbers.count != 1 else { throw .longitudeMissing }
      if numbers.count == 2 {
        self = .coordinate(try Coordinate(latitude: numbers[0], longitude: numbers[1]))
        return
      }
    }
    guard text.count <= 100 else { throw .nameTooLong }
    let name = Sanitizer.label(text)
    guard !name.isEmpty else { throw .empty }
    self = .name(name)
  }
}

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

/// Conversion between numbers and text without `-0.0`, exponents, and `nan` as a coordinate.
package enum DecimalText {
  /// Returns a number with exactly the given decimals; `-` if it is not finite.
  package static func fixed(_ number: Double, _ decimals: Int = 1) -> String {
    guard number.isFinite, abs(number) < 1e15 else { return "-" }
    let text = String(format: "%.\(decimals)f", number)
    // A number that is rounded to zero has no sign.
    let isNothing = text.utf8.allSatisfy { $0 == 0x2D || $0 == 0x30 || $0 == 0x2E }
    return isNothing && text.hasPrefix("-") ? String(text.dropFirst()) : text
  }

  /// Returns a number with at most the given decimals, without trailing zeros: `18`, `18.5`.
  package static func trimmed(_ number: Double, _ decimals: Int = 1) -> String {
    var text = fixed(number, decimals)
    guard text.contains(".") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// Parses `-?digits(.digits)?` only; a leading `+` is allowed.
  package static func parse(_ text: String) -> Double? {
    var rest = Substring(text)
    if let sign = rest.first, sign == "-" || sign == "+" { rest.removeFirst() }
    let halves = rest.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(halves.count), rest.utf8.count <= 24,
      halves.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    return Double(text)
  }

  package static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
