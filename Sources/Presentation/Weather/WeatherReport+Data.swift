import Catalog
import Foundation
import Text
import WeatherAPI

/// A report as data for programs: one value for JSON, or its slots as rows.
///
/// The units are °C, m/s, mm, hPa, m and percent. Times are in UTC, except `local`, which is the local time of the
/// place.
extension WeatherReport {
  /// The complete report.
  ///
  /// All keys are always present and in this order; unknown values are null. Reasons are in English in every language.
  var data: Table.Cell {
    let now = current.value.map { Table.Cell.object(entries(of: $0)) }
    let slots = forecast.value.map { Table.Cell.list($0.slots.map { .object(entries(of: $0)) }) }
    let days = forecast.value.map { _ in Table.Cell.list(self.days.map(WeatherReport.cell)) }
    return .object([
      ("place", placeCell), ("sample", .bool(isSample)), ("utc_offset", .number(utcOffset)), ("current", now ?? .none),
      ("days", days ?? .none), ("slots", slots ?? .none), ("errors", .list(errorCells)),
    ])
  }

  /// The slots of the forecast, one per row, with the entries of `slots` in `data` as columns.
  var slotTable: Table {
    let texts = ["time", "local", "text", "icon"]
    return Table(
      entries(of: ForecastPeriod(at: 0)).map { key, _ in
        Table.Column(key, LocalizedText(same: StyledText(key)), isNumber: !texts.contains(key))
      },
      rows: (forecast.value?.slots ?? []).map { entries(of: $0).map(\.1) })
  }

  private var placeCell: Table.Cell {
    .object([
      ("name", .text(name(in: language))),
      ("found", .string(resolvedName(in: language))),
      ("country", .string(country)),
      ("state", .string(place.state ?? address.value?.first?.state)),
      ("latitude", .measured(place.coordinate.latitude, 4)),
      ("longitude", .measured(place.coordinate.longitude, 4)),
    ])
  }

  private var errorCells: [Table.Cell] {
    failures.map { failure in
      .object([
        ("part", .text(failure.key)), ("kind", .text(failure.error.kind)), ("status", .integer(failure.error.status)),
        ("reason", .text(failure.error.reason.english.plain)), ("stale", .bool(failure.isStale)),
      ])
    }
  }

  private func entries(of now: CurrentConditions) -> [(String, Table.Cell)] {
    let measurements: [(String, Table.Cell)] = [
      ("temperature", .measured(now.temperature)), ("feels_like", .measured(now.feelsLike)),
      ("min", .measured(now.minTemperature)), ("max", .measured(now.maxTemperature)),
      ("pressure", .measured(now.pressure)), ("humidity", .integer(now.humidity)),
      ("visibility", .integer(now.visibility)),
    ]
    let others: [(String, Table.Cell)] = [
      ("clouds", .integer(now.clouds)), ("rain_1h", .measured(now.rain)), ("snow_1h", .measured(now.snow)),
      ("sunrise", .string(now.sunrise.map(WeatherReport.utc))), ("sunset", .string(now.sunset.map(WeatherReport.utc))),
    ]
    return entries(ofTime: now.time) + entries(of: now.conditions) + measurements + entries(of: now.wind) + others
  }

  private func entries(of slot: ForecastPeriod) -> [(String, Table.Cell)] {
    let measurements: [(String, Table.Cell)] = [
      ("temperature", .measured(slot.temperature)), ("feels_like", .measured(slot.feelsLike)),
      ("min", .measured(slot.lowest)), ("max", .measured(slot.highest)), ("pressure", .measured(slot.pressure)),
      ("humidity", .integer(slot.humidity)), ("visibility", .integer(slot.visibility)),
    ]
    let others: [(String, Table.Cell)] = [
      ("clouds", .integer(slot.clouds)), ("chance", .measured(slot.precipitationProbability)),
      ("rain_3h", .measured(slot.rain)), ("snow_3h", .measured(slot.snow)),
    ]
    return entries(ofTime: slot.time) + entries(of: slot.conditions) + measurements + entries(of: slot.wind) + others
  }

  private func entries(ofTime instant: Int?) -> [(String, Table.Cell)] {
    [
      ("time", .string(instant.map(WeatherReport.utc))),
      ("local", .string(instant.map { PlaceTime($0, offset: utcOffset).description })),
    ]
  }

  private func entries(of conditions: [WeatherCondition]) -> [(String, Table.Cell)] {
    let names = conditions.map { $0.name(in: language) }.joined(separator: ", ")
    return [
      ("condition", .integer(conditions.first?.id)), ("text", conditions.isEmpty ? .none : .text(names)),
      ("icon", .string(conditions.first?.icon)),
    ]
  }

  private func entries(of wind: Wind?) -> [(String, Table.Cell)] {
    [
      ("wind_speed", .measured(wind?.speed)), ("wind_degrees", .measured(wind?.degrees)),
      ("wind_gust", .measured(wind?.gust)),
    ]
  }

  private static func cell(_ day: LocalDay) -> Table.Cell {
    .object([
      ("date", .text(day.date.date)), ("min", .measured(day.lowest)), ("max", .measured(day.highest)),
      ("rain", .measured(day.rain)), ("snow", .measured(day.snow)),
    ])
  }

  private static func utc(_ instant: Int) -> String { PlaceTime(instant, offset: 0).description + "Z" }
}

extension Table.Cell {
  fileprivate static func object(_ entries: [(String, Table.Cell)]) -> Table.Cell {
    .record(entries.map { Table.LabelledValue($0.0, $0.1) })
  }

  fileprivate static func string(_ text: String?) -> Table.Cell { text.map { .text($0) } ?? .none }
  fileprivate static func integer(_ number: Int?) -> Table.Cell { number.map { .number($0) } ?? .none }

  /// Returns a measurement rounded to the given decimals; none if it is not finite or has more than 12 digits.
  fileprivate static func measured(_ value: Double?, _ decimals: Int = 2) -> Table.Cell {
    guard let value, value.isFinite, abs(value) < 1e12 else { return .none }
    let scale = pow(10, Double(decimals))
    return .decimal(Amount(units: Int((value * scale).rounded()), exponent: -decimals))
  }
}
