import Networking
import Text

/// Tolerant access to the service's JSON, which has the same quantity as an integer, a decimal or a string depending on
/// the endpoint and year.
///
/// Missing values, null, and values of another type are absent.
extension JSON {
  /// The member of an object, or `null`.
  subscript(key: String) -> JSON { object?[key] ?? .null }

  var arrayOrEmpty: [JSON] { array ?? [] }

  var isObject: Bool { object != nil }

  /// The number rounded to an integer, or `nil` beyond ±10^12, which no quantity here reaches.
  var roundedInt: Int? {
    guard let doubleValue, abs(doubleValue) <= 1e12 else { return nil }
    return Int(exactly: doubleValue.rounded())
  }

  /// The sanitized text, or `nil` if it is missing or only white space.
  var sanitizedString: String? {
    guard case .string(let text) = self else { return nil }
    let label = Sanitizer.label(text)
    return label.isEmpty ? nil : label
  }

  /// A finite number, which may also be a string.
  fileprivate var doubleValue: Double? {
    switch self {
    case .number(let number): Double(number.literal).flatMap { $0.isFinite ? $0 : nil }
    case .string(let text): DecimalText.parse(text)
    case .null, .bool, .array, .object, .invalidLiteral: nil
    }
  }

  /// A Unix time, or `nil` for zero, which means "never" (no sunrise in a polar night).
  fileprivate var instant: Int? {
    guard let roundedInt, roundedInt != 0, abs(roundedInt) < 100_000_000_000 else { return nil }
    return roundedInt
  }

  /// An offset from UTC in seconds to the east, or `nil` beyond 18 hours, which no time zone exceeds.
  fileprivate var utcOffset: Int? {
    guard let roundedInt, abs(roundedInt) <= 64_800 else { return nil }
    return roundedInt
  }
}

/// The members that the current weather and the slots of a forecast share, each of which may be missing.
extension JSON {
  fileprivate var conditions: [WeatherCondition] {
    self["weather"].arrayOrEmpty.filter(\.isObject).map {
      WeatherCondition(
        id: $0["id"].roundedInt, text: $0["description"].sanitizedString ?? $0["main"].sanitizedString,
        icon: $0["icon"].sanitizedString)
    }
  }

  /// Returns a temperature in °C, or `nil` for an impossible one.
  fileprivate func temperature(_ key: String) -> Double? {
    guard let value = self["main"][key].doubleValue, (-150...150).contains(value) else { return nil }
    return value
  }

  fileprivate var wind: Wind? {
    guard let speed = self["wind"]["speed"].doubleValue, speed >= 0 else { return nil }
    return Wind(speed: speed, degrees: self["wind"]["deg"].doubleValue, gust: self["wind"]["gust"].doubleValue)
  }

  /// Returns the precipitation in mm for the period `1h` or `3h`.
  ///
  /// An empty `rain: {}`, as in old responses, is none.
  fileprivate func precipitation(_ kind: String) -> Double? {
    guard let fall = self[kind]["3h"].doubleValue ?? self[kind]["1h"].doubleValue, fall >= 0 else { return nil }
    return fall
  }
}

extension CurrentConditions {
  init(_ json: JSON) {
    self.init(
      time: json["dt"].instant, offset: json["timezone"].utcOffset, conditions: json.conditions,
      temperature: json.temperature("temp"), feelsLike: json.temperature("feels_like"),
      minTemperature: json.temperature("temp_min"), maxTemperature: json.temperature("temp_max"),
      pressure: json["main"]["pressure"].doubleValue, humidity: json["main"]["humidity"].roundedInt,
      visibility: json["visibility"].roundedInt, wind: json.wind, clouds: json["clouds"]["all"].roundedInt,
      rain: json.precipitation("rain"), snow: json.precipitation("snow"), sunrise: json["sys"]["sunrise"].instant,
      sunset: json["sys"]["sunset"].instant, name: json["name"].sanitizedString,
      country: json["sys"]["country"].sanitizedString)
  }
}

extension Forecast {
  init(_ json: JSON) {
    let city = json["city"]
    // More than 240 slots is no five days; what is cut would not be shown anyway.
    let slots = json["list"].arrayOrEmpty.prefix(240).compactMap { ForecastPeriod($0) }
    self.init(
      slots: slots.sorted { $0.time < $1.time }, name: city["name"].sanitizedString,
      country: city["country"].sanitizedString, offset: city["timezone"].utcOffset)
  }
}

extension ForecastPeriod {
  /// Returns `nil` for a period without a time, because it has no place in the table.
  fileprivate init?(_ json: JSON) {
    guard let time = json["dt"].instant else { return nil }
    self.init(
      time: time, conditions: json.conditions, temperature: json.temperature("temp"),
      feelsLike: json.temperature("feels_like"), lowest: json.temperature("temp_min"),
      highest: json.temperature("temp_max"), pressure: json["main"]["pressure"].doubleValue,
      humidity: json["main"]["humidity"].roundedInt, visibility: json["visibility"].roundedInt, wind: json.wind,
      clouds: json["clouds"]["all"].roundedInt,
      precipitationProbability: json["pop"].doubleValue.map { min(1, max(0, $0)) },
      rain: json.precipitation("rain"), snow: json.precipitation("snow"))
  }
}

extension Place {
  /// Returns the places of a response, or `nil` if it is no list.
  @Sendable static func list(_ json: JSON) -> [Place]? { json.array.map { $0.prefix(50).compactMap { Place($0) } } }

  /// Returns `nil` without a valid point.
  private init?(_ json: JSON) {
    guard let latitude = json["lat"].doubleValue, let longitude = json["lon"].doubleValue,
      let point = try? Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    let names = json["local_names"]
    self.init(
      point, name: names["en"].sanitizedString ?? json["name"].sanitizedString,
      koreanName: names["ko"].sanitizedString, country: json["country"].sanitizedString,
      state: json["state"].sanitizedString)
  }
}
