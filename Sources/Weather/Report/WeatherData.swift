/// A report as data for programs: one JSON object, or its slots as rows.
package enum WeatherData {
  /// Keys are always all there, in this order; what nobody told is null. °C, m/s, mm, hPa, m, percent; times in UTC,
  /// `local` on the place's wall clock.
  package static func json(_ report: WeatherReport) -> String { object(report).written }

  /// One slot a row, with the columns of the `slots` of the JSON form; numbers plain, nil for null.
  package static func slots(_ report: WeatherReport) -> (columns: [String], rows: [[String?]]) {
    let rows = (report.forecast.value?.slots ?? []).map { members(of: $0, report) }
    let columns = members(of: Slot(time: 1, sky: []), report).map(\.0)
    return (columns, rows.map { $0.map { value($0.1) } })
  }

  private static func value(_ json: OrderedJSON) -> String? {
    switch json {
    case .null: nil
    case .text(let text): text
    case .flag, .number, .list, .object: json.written
    }
  }

  private static func object(_ report: WeatherReport) -> OrderedJSON {
    .object([
      ("place", place(report)),
      ("sample", .flag(report.isSample)),
      ("utc_offset", .whole(report.offset)),
      ("current", report.current.value.map { current($0, report) } ?? .null),
      ("days", report.forecast.value == nil ? .null : .list(report.days.map(day))),
      ("slots", report.forecast.value.map { .list($0.slots.map { .object(members(of: $0, report)) }) } ?? .null),
      (
        "errors",
        .list(
          report.failures.map { failure in
            .object([
              ("part", .text(failure.key)), ("kind", .text(failure.error.kind)),
              ("status", .whole(failure.error.status)), ("reason", .text(failure.error.reason[report.language])),
              ("stale", .flag(failure.isStale)),
            ])
          })
      ),
    ])
  }

  private static func place(_ report: WeatherReport) -> OrderedJSON {
    .object([
      ("name", .text(report.name(in: report.language))),
      ("found", .text(report.found(in: report.language))),
      ("country", .text(report.country)),
      ("state", .text(report.place.state ?? report.address.value?.first?.state)),
      ("latitude", .decimal(report.place.coordinate.latitude, 4)),
      ("longitude", .decimal(report.place.coordinate.longitude, 4)),
    ])
  }

  private static func current(_ now: Conditions, _ report: WeatherReport) -> OrderedJSON {
    .object(
      times(now.time, report) + sky(now.sky, report) + [
        ("temperature", .decimal(now.temperature)), ("feels_like", .decimal(now.feelsLike)),
        ("min", .decimal(now.lowest)), ("max", .decimal(now.highest)), ("pressure", .decimal(now.pressure)),
        ("humidity", .whole(now.humidity)), ("visibility", .whole(now.visibility)),
      ] + wind(now.wind) + [
        ("clouds", .whole(now.clouds)), ("rain_1h", .decimal(now.rain)), ("snow_1h", .decimal(now.snow)),
        ("sunrise", .text(now.sunrise.map(utc))), ("sunset", .text(now.sunset.map(utc))),
      ])
  }

  private static func members(of slot: Slot, _ report: WeatherReport) -> [(String, OrderedJSON)] {
    times(slot.time, report) + sky(slot.sky, report) + [
      ("temperature", .decimal(slot.temperature)), ("feels_like", .decimal(slot.feelsLike)),
      ("min", .decimal(slot.lowest)), ("max", .decimal(slot.highest)), ("pressure", .decimal(slot.pressure)),
      ("humidity", .whole(slot.humidity)), ("visibility", .whole(slot.visibility)),
    ] + wind(slot.wind) + [
      ("clouds", .whole(slot.clouds)), ("chance", .decimal(slot.chance)), ("rain_3h", .decimal(slot.rain)),
      ("snow_3h", .decimal(slot.snow)),
    ]
  }

  private static func day(_ day: LocalDay) -> OrderedJSON {
    .object([
      ("date", .text(day.start.date)), ("min", .decimal(day.lowest)), ("max", .decimal(day.highest)),
      ("rain", .decimal(day.rain)), ("snow", .decimal(day.snow)),
    ])
  }

  private static func times(_ instant: Int?, _ report: WeatherReport) -> [(String, OrderedJSON)] {
    [
      ("time", .text(instant.map(utc))),
      ("local", .text(instant.map { LocalTime($0, offset: report.offset).description })),
    ]
  }

  private static func sky(_ sky: [Sky], _ report: WeatherReport) -> [(String, OrderedJSON)] {
    let words = sky.map { ConditionText.text($0, in: report.language) }.joined(separator: ", ")
    return [
      ("condition", .whole(sky.first?.id)), ("text", .text(sky.isEmpty ? nil : words)),
      ("icon", .text(sky.first?.icon)),
    ]
  }

  private static func wind(_ wind: Wind?) -> [(String, OrderedJSON)] {
    [
      ("wind_speed", .decimal(wind?.speed)), ("wind_degrees", .decimal(wind?.degrees)),
      ("wind_gust", .decimal(wind?.gust)),
    ]
  }

  private static func utc(_ instant: Int) -> String { LocalTime(instant, offset: 0).description + "Z" }
}
