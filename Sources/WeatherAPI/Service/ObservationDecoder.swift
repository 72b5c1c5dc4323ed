import Networking

/// The members that current weather and forecast slots share, each of which may be missing.
struct ObservationDecoder {
  let json: JSON

  /// Returns a temperature in °C, or `nil` for an impossible one.
  func temperature(_ key: String) -> Double? {
    guard let value = json["main"][key].doubleValue, (-150...150).contains(value) else { return nil }
    return value
  }

  /// Returns a Unix time, or `nil` for zero, which means "never" (no sunrise in a polar night).
  static func instant(_ json: JSON) -> Int? {
    guard let seconds = json.roundedInt, seconds != 0, abs(seconds) < 100_000_000_000 else { return nil }
    return seconds
  }

  /// Returns an offset from UTC in seconds to the east, or `nil` beyond 18 hours, which no time zone exceeds.
  static func offset(_ json: JSON) -> Int? {
    guard let seconds = json.roundedInt, abs(seconds) <= 64_800 else { return nil }
    return seconds
  }

  var sky: [Sky] {
    json["weather"].arrayOrEmpty.filter(\.isObject).map {
      Sky(
        id: $0["id"].roundedInt, text: $0["description"].sanitizedString ?? $0["main"].sanitizedString,
        icon: $0["icon"].sanitizedString)
    }
  }

  var wind: Wind? {
    guard let speed = json["wind"]["speed"].doubleValue, speed >= 0 else { return nil }
    return Wind(speed: speed, degrees: json["wind"]["deg"].doubleValue, gust: json["wind"]["gust"].doubleValue)
  }

  /// Returns the precipitation in mm for the period `1h` or `3h`.
  ///
  /// An empty `rain: {}`, as in old responses, is none.
  func precipitation(_ kind: String) -> Double? {
    guard let fall = json[kind]["3h"].doubleValue ?? json[kind]["1h"].doubleValue, fall >= 0 else { return nil }
    return fall
  }

  static func place(_ json: JSON) -> Coordinate? {
    guard let latitude = json["lat"].doubleValue, let longitude = json["lon"].doubleValue else { return nil }
    return try? Coordinate(latitude: latitude, longitude: longitude)
  }
}
