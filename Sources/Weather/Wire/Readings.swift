import Foundation

/// The pieces that current weather and forecast slots have in common, each read as if any of it could be missing.
struct Readings {
  let tree: Tree
  let units: WeatherUnits

  /// In °C; nil for what no thermometer has shown.
  func temperature(_ key: String) -> Double? {
    guard let value = tree["main"][key].number.map(units.celsius), (-150...150).contains(value) else { return nil }
    return value
  }

  /// Seconds since 1970 UTC; zero stands for "never" (no sunrise in a polar night).
  static func instant(_ tree: Tree) -> Int? {
    guard let seconds = tree.whole, seconds != 0, abs(seconds) < 100_000_000_000 else { return nil }
    return seconds
  }

  /// Seconds east of UTC; nil beyond the 18 hours that no zone exceeds.
  static func offset(_ tree: Tree) -> Int? {
    guard let seconds = tree.whole, abs(seconds) <= 64_800 else { return nil }
    return seconds
  }

  var sky: [Sky] {
    tree["weather"].list.filter(\.isObject).map {
      Sky(id: $0["id"].whole, text: $0["description"].text ?? $0["main"].text, icon: $0["icon"].text)
    }
  }

  var wind: Wind? {
    guard let speed = tree["wind"]["speed"].number, speed >= 0 else { return nil }
    return Wind(speed: speed, degrees: tree["wind"]["deg"].number, gust: tree["wind"]["gust"].number)
  }

  /// Millimetres in the span named `1h` or `3h`; an empty `rain: {}` of old answers is none.
  func fall(_ kind: String) -> Double? {
    guard let fall = tree[kind]["3h"].number ?? tree[kind]["1h"].number, fall >= 0 else { return nil }
    return fall
  }

  static func place(_ tree: Tree) -> Coordinate? {
    guard let latitude = tree["lat"].number, let longitude = tree["lon"].number else { return nil }
    return try? Coordinate(latitude: latitude, longitude: longitude)
  }
}
