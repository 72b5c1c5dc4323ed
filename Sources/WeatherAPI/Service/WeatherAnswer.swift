import Networking
import Text

/// Distinguishes a success from an error of the service: first by the HTTP status, then by the body as far as it can be
/// parsed.
enum WeatherAnswer {
  static func json(from reply: Response, of service: OpenWeather) throws(WeatherError) -> JSON {
    let json = try? JSON(parsing: service.redactingKey(reply.body))
    guard reply.isSuccess else { throw error(status: reply.status, in: json, of: reply) }
    guard let json else { throw .unreadable(status: reply.status) }
    // `cod` is a number in some responses and a string in others, and some proxies send an error with status 200.
    if let code = json["cod"].roundedInt, code >= 400 { throw error(status: code, in: json, of: reply) }
    return json
  }

  private static func error(status: Int, in json: JSON?, of reply: Response) -> WeatherError {
    let message = json?["message"].sanitizedString
    switch status {
    case 400: return .badRequest(message)
    case 401: return .keyRefused(message)
    case 404: return .notFound(message)
    case 429: return .tooManyRequests(retryAfter: RetryAfter.seconds(of: reply), message)
    case 500...599: return .serverError(status: status, message)
    default: return .refused(status: status, message)
    }
  }
}

/// Tolerant access to the service's JSON, which has the same quantity as an integer, a decimal or a string depending on
/// the endpoint and year.
///
/// Missing values, null, and values of another type are absent.
extension JSON {
  /// The member of an object, or `null`.
  subscript(key: String) -> JSON { object?[key] ?? .null }

  var arrayOrEmpty: [JSON] { array ?? [] }

  var isObject: Bool { object != nil }

  /// A finite number, which may also be a string.
  var doubleValue: Double? {
    switch self {
    case .number(let number): Double(number.literal).flatMap { $0.isFinite ? $0 : nil }
    case .string(let text): DecimalText.parse(text)
    case .null, .bool, .array, .object, .invalidLiteral: nil
    }
  }

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
}

extension CurrentConditions {
  init(_ json: JSON) {
    let readings = ObservationDecoder(json: json)
    self.init(
      time: ObservationDecoder.instant(json["dt"]), offset: ObservationDecoder.offset(json["timezone"]),
      sky: readings.sky,
      temperature: readings.temperature("temp"), feelsLike: readings.temperature("feels_like"),
      minTemperature: readings.temperature("temp_min"), maxTemperature: readings.temperature("temp_max"),
      pressure: json["main"]["pressure"].doubleValue, humidity: json["main"]["humidity"].roundedInt,
      visibility: json["visibility"].roundedInt, wind: readings.wind, clouds: json["clouds"]["all"].roundedInt,
      rain: readings.precipitation("rain"), snow: readings.precipitation("snow"),
      sunrise: ObservationDecoder.instant(json["sys"]["sunrise"]),
      sunset: ObservationDecoder.instant(json["sys"]["sunset"]), name: json["name"].sanitizedString,
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
      country: city["country"].sanitizedString,
      offset: ObservationDecoder.offset(city["timezone"]), sunrise: ObservationDecoder.instant(city["sunrise"]),
      sunset: ObservationDecoder.instant(city["sunset"]))
  }
}

extension ForecastPeriod {
  /// Returns `nil` for a period without a time, because it has no place in the table.
  init?(_ json: JSON) {
    guard let time = ObservationDecoder.instant(json["dt"]) else { return nil }
    let readings = ObservationDecoder(json: json)
    self.init(
      time: time, sky: readings.sky, temperature: readings.temperature("temp"),
      feelsLike: readings.temperature("feels_like"), lowest: readings.temperature("temp_min"),
      highest: readings.temperature("temp_max"), pressure: json["main"]["pressure"].doubleValue,
      humidity: json["main"]["humidity"].roundedInt, visibility: json["visibility"].roundedInt, wind: readings.wind,
      clouds: json["clouds"]["all"].roundedInt,
      precipitationProbability: json["pop"].doubleValue.map { min(1, max(0, $0)) },
      rain: readings.precipitation("rain"), snow: readings.precipitation("snow"))
  }
}

extension Locality {
  /// Returns `nil` without a valid point.
  init?(_ json: JSON) {
    guard let coordinate = ObservationDecoder.place(json) else { return nil }
    let names = json["local_names"]
    self.init(
      name: json["name"].sanitizedString, koreanName: names["ko"].sanitizedString,
      englishName: names["en"].sanitizedString, coordinate: coordinate,
      country: json["country"].sanitizedString, state: json["state"].sanitizedString)
  }

  static func all(from reply: JSON, status: Int) throws(WeatherError) -> [Locality] {
    guard let elements = reply.array else { throw .unreadable(status: status) }
    return elements.prefix(50).compactMap(Locality.init)
  }
}
