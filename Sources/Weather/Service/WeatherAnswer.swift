import Foundation
import Networking
import Text

/// Tells a success from the service's refusals: the HTTP status first, then the body as far as it can be read.
enum WeatherAnswer {
  static func json(from reply: Reply, of service: OpenWeather) throws(WeatherError) -> JSON {
    let json = try? JSON(parsing: service.withoutKey(reply.body))
    guard reply.isSuccess else { throw error(status: reply.status, in: json, of: reply) }
    guard let json else { throw .unreadable(status: reply.status) }
    // `cod` is a number here and a string there, and some proxies answer 200 with the refusal inside.
    if let code = json["cod"].whole, code >= 400 { throw error(status: code, in: json, of: reply) }
    return json
  }

  private static func error(status: Int, in json: JSON?, of reply: Reply) -> WeatherError {
    let message = json?["message"].label
    switch status {
    case 400: return .badRequest(message)
    case 401: return .keyRefused(message)
    case 404: return .notFound(message)
    case 429:
      let wait = reply.header("Retry-After").flatMap(DecimalText.number).flatMap { Int(exactly: $0.rounded(.up)) }
      return .tooManyRequests(retryAfter: wait, message)
    case 500...599: return .serverTrouble(status: status, message)
    default: return .refused(status: status, message)
    }
  }
}

/// The pieces that current weather and forecast slots have in common, each read as if any of it could be missing.
struct Readings {
  let json: JSON
  let units: WeatherUnits

  /// In °C; nil for what no thermometer has shown.
  func temperature(_ key: String) -> Double? {
    guard let value = json["main"][key].measure.map(units.celsius), (-150...150).contains(value) else { return nil }
    return value
  }

  /// Seconds since 1970 UTC; zero stands for "never" (no sunrise in a polar night).
  static func instant(_ json: JSON) -> Int? {
    guard let seconds = json.whole, seconds != 0, abs(seconds) < 100_000_000_000 else { return nil }
    return seconds
  }

  /// Seconds east of UTC; nil beyond the 18 hours that no zone exceeds.
  static func offset(_ json: JSON) -> Int? {
    guard let seconds = json.whole, abs(seconds) <= 64_800 else { return nil }
    return seconds
  }

  var sky: [Sky] {
    json["weather"].list.filter(\.isObject).map {
      Sky(id: $0["id"].whole, text: $0["description"].label ?? $0["main"].label, icon: $0["icon"].label)
    }
  }

  var wind: Wind? {
    guard let speed = json["wind"]["speed"].measure, speed >= 0 else { return nil }
    return Wind(speed: speed, degrees: json["wind"]["deg"].measure, gust: json["wind"]["gust"].measure)
  }

  /// Millimetres in the span named `1h` or `3h`; an empty `rain: {}` of old answers is none.
  func fall(_ kind: String) -> Double? {
    guard let fall = json[kind]["3h"].measure ?? json[kind]["1h"].measure, fall >= 0 else { return nil }
    return fall
  }

  static func place(_ json: JSON) -> Coordinate? {
    guard let latitude = json["lat"].measure, let longitude = json["lon"].measure else { return nil }
    return try? Coordinate(latitude: latitude, longitude: longitude)
  }
}

/// The service writes one quantity as an integer, a float or a string from one endpoint and year to the next; what is
/// missing, null or of another type is simply not there.
extension JSON {
  /// The member of an object; `null` where there is none.
  subscript(key: String) -> JSON { object?[key] ?? .null }

  var list: [JSON] { array ?? [] }

  var isObject: Bool { object != nil }

  /// A finite number, also one written as a string.
  var measure: Double? {
    switch self {
    case .number(let number): Double(number.literal).flatMap { $0.isFinite ? $0 : nil }
    case .string(let text): DecimalText.number(text)
    case .null, .bool, .array, .object, .odd: nil
    }
  }

  /// Rounded to an integer; nil beyond ±10^12, which nothing here is.
  var whole: Int? {
    guard let measure, abs(measure) <= 1e12 else { return nil }
    return Int(exactly: measure.rounded())
  }

  /// Text made harmless; nil for none and for nothing but blanks.
  var label: String? {
    guard case .string(let text) = self else { return nil }
    let label = Sanitizer.label(text)
    return label.isEmpty ? nil : label
  }
}

extension Conditions {
  init(_ json: JSON, in units: WeatherUnits) {
    let readings = Readings(json: json, units: units)
    self.init(
      time: Readings.instant(json["dt"]), offset: Readings.offset(json["timezone"]), sky: readings.sky,
      temperature: readings.temperature("temp"), feelsLike: readings.temperature("feels_like"),
      lowest: readings.temperature("temp_min"), highest: readings.temperature("temp_max"),
      pressure: json["main"]["pressure"].measure, humidity: json["main"]["humidity"].whole,
      visibility: json["visibility"].whole, wind: readings.wind, clouds: json["clouds"]["all"].whole,
      rain: readings.fall("rain"), snow: readings.fall("snow"), sunrise: Readings.instant(json["sys"]["sunrise"]),
      sunset: Readings.instant(json["sys"]["sunset"]), name: json["name"].label,
      country: json["sys"]["country"].label)
  }
}

extension Forecast {
  init(_ json: JSON, in units: WeatherUnits) {
    let city = json["city"]
    // More than 240 slots is no five days; what is cut would not be shown anyway.
    let slots = json["list"].list.prefix(240).compactMap { Slot($0, in: units) }
    self.init(
      slots: slots.sorted { $0.time < $1.time }, name: city["name"].label, country: city["country"].label,
      offset: Readings.offset(city["timezone"]), sunrise: Readings.instant(city["sunrise"]),
      sunset: Readings.instant(city["sunset"]))
  }
}

extension Slot {
  /// Nil without a time: it could be put nowhere.
  init?(_ json: JSON, in units: WeatherUnits) {
    guard let time = Readings.instant(json["dt"]) else { return nil }
    let readings = Readings(json: json, units: units)
    self.init(
      time: time, sky: readings.sky, temperature: readings.temperature("temp"),
      feelsLike: readings.temperature("feels_like"), lowest: readings.temperature("temp_min"),
      highest: readings.temperature("temp_max"), pressure: json["main"]["pressure"].measure,
      humidity: json["main"]["humidity"].whole, visibility: json["visibility"].whole, wind: readings.wind,
      clouds: json["clouds"]["all"].whole, chance: json["pop"].measure.map { min(1, max(0, $0)) },
      rain: readings.fall("rain"), snow: readings.fall("snow"))
  }
}

extension Locality {
  /// Nil without a point on the globe.
  init?(_ json: JSON) {
    guard let coordinate = Readings.place(json) else { return nil }
    let names = json["local_names"]
    self.init(
      name: json["name"].label, koreanName: names["ko"].label, englishName: names["en"].label, coordinate: coordinate,
      country: json["country"].label, state: json["state"].label)
  }

  static func all(from reply: JSON, status: Int) throws(WeatherError) -> [Locality] {
    guard let elements = reply.array else { throw .unreadable(status: status) }
    return elements.prefix(50).compactMap(Locality.init)
  }
}
