import Networking
import Text
import WeatherAPI

/// A report as data for programs: one JSON object, or its slots as rows.
package enum WeatherEncoder {
  /// Returns the JSON object.
  ///
  /// All keys are always present and in this order; unknown values are null.
  ///
  /// The units are °C, m/s, mm, hPa, m and percent. Times are in UTC, except `local`, which is the local time of the
  /// place.
  package static func json(_ report: WeatherReport) -> String {
    JSON.escapingInvisibleScalars(object(report).serialized)
  }

  /// Returns one row per slot, with the columns of `slots` in the JSON format; numbers are unformatted, `nil` is null.
  package static func slots(_ report: WeatherReport) -> (columns: [String], rows: [[String?]]) {
    let rows = (report.forecast.value?.slots ?? []).map { members(of: $0, report) }
    let columns = members(of: ForecastPeriod(at: 1), report).map(\.0)
    return (columns, rows.map { $0.map { value($0.1) } })
  }

  private static func value(_ json: JSON) -> String? {
    switch json {
    case .null: nil
    case .string(let text): text
    case .bool, .number, .array, .object, .invalidLiteral: json.serialized
    }
  }

  private static func object(_ report: WeatherReport) -> JSON {
    .object([
      ("place", place(report)),
      ("sample", .bool(report.isSample)),
      ("utc_offset", .whole(report.utcOffset)),
      ("current", report.current.value.map { current($0, report) } ?? .null),
      ("days", report.forecast.value == nil ? .null : .array(report.days.map(day))),
      ("slots", report.forecast.value.map { .array($0.slots.map { .object(members(of: $0, report)) }) } ?? .null),
      (
        "errors",
        .array(
          report.failures.map { failure in
            .object([
              ("part", .string(failure.key)), ("kind", .string(failure.error.kind)),
              ("status", .whole(failure.error.status)),
              ("reason", .string(failure.error.reason[report.language].plain)),
              ("stale", .bool(failure.isStale)),
            ])
          })
      ),
    ])
  }

  private static func place(_ report: WeatherReport) -> JSON {
    .object([
      ("name", .string(report.name(in: report.language))),
      ("found", .string(report.resolvedName(in: report.language))),
      ("country", .string(report.country)),
      ("state", .string(report.place.state ?? report.address.value?.first?.state)),
      ("latitude", .decimal(report.place.coordinate.latitude, 4)),
      ("longitude", .decimal(report.place.coordinate.longitude, 4)),
    ])
  }

  private static func current(_ now: CurrentConditions, _ report: WeatherReport) -> JSON {
    .object(
      times(now.time, report) + sky(now.sky, report) + [
        ("temperature", .decimal(now.temperature)), ("feels_like", .decimal(now.feelsLike)),
        ("min", .decimal(now.minTemperature)), ("max", .decimal(now.maxTemperature)),
        ("pressure", .decimal(now.pressure)),
        ("humidity", .whole(now.humidity)), ("visibility", .whole(now.visibility)),
      ] + wind(now.wind) + [
        ("clouds", .whole(now.clouds)), ("rain_1h", .decimal(now.rain)), ("snow_1h", .decimal(now.snow)),
        ("sunrise", .string(now.sunrise.map(utc))), ("sunset", .string(now.sunset.map(utc))),
      ])
  }

  private static func members(of slot: ForecastPeriod, _ report: WeatherReport) -> [(String, JSON)] {
    times(slot.time, report) + sky(slot.sky, report) + [
      ("temperature", .decimal(slot.temperature)), ("feels_like", .decimal(slot.feelsLike)),
      ("min", .decimal(slot.lowest)), ("max", .decimal(slot.highest)), ("pressure", .decimal(slot.pressure)),
      ("humidity", .whole(slot.humidity)), ("visibility", .whole(slot.visibility)),
    ] + wind(slot.wind) + [
      ("clouds", .whole(slot.clouds)), ("chance", .decimal(slot.precipitationProbability)),
      ("rain_3h", .decimal(slot.rain)),
      ("snow_3h", .decimal(slot.snow)),
    ]
  }

  private static func day(_ day: LocalDay) -> JSON {
    .object([
      ("date", .string(day.date.date)), ("min", .decimal(day.lowest)), ("max", .decimal(day.highest)),
      ("rain", .decimal(day.rain)), ("snow", .decimal(day.snow)),
    ])
  }

  private static func times(_ instant: Int?, _ report: WeatherReport) -> [(String, JSON)] {
    [
      ("time", .string(instant.map(utc))),
      ("local", .string(instant.map { LocalTime($0, offset: report.utcOffset).description })),
    ]
  }

  private static func sky(_ sky: [Sky], _ report: WeatherReport) -> [(String, JSON)] {
    let words = sky.map { ConditionText.text($0, in: report.language) }.joined(separator: ", ")
    return [
      ("condition", .whole(sky.first?.id)), ("text", .string(sky.isEmpty ? nil : words)),
      ("icon", .string(sky.first?.icon)),
    ]
  }

  private static func wind(_ wind: Wind?) -> [(String, JSON)] {
    [
      ("wind_speed", .decimal(wind?.speed)), ("wind_degrees", .decimal(wind?.degrees)),
      ("wind_gust", .decimal(wind?.gust)),
    ]
  }

  private static func utc(_ instant: Int) -> String { LocalTime(instant, offset: 0).description + "Z" }
}

extension JSON {
  fileprivate static func string(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
  fileprivate static func whole(_ number: Int?) -> JSON { number.map { .int($0) } ?? .null }

  /// Returns a number with at most the given decimals, without trailing zeros; null if it is not finite.
  fileprivate static func decimal(_ number: Double?, _ decimals: Int = 2) -> JSON {
    guard let number, let written = JSONNumber(DecimalText.trimmed(number, decimals)) else { return .null }
    return .number(written)
  }
}
