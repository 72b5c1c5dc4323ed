import Text
import WeatherAPI

/// The current weather: the fields of the phone app and the other measurements, with a picture of the sky.
struct WeatherHeader {
  let view: WeatherView

  func strips(_ report: WeatherReport, _ now: Int) -> [StyledLine] {
    let sky = report.current.value?.sky ?? []
    let art =
      view.width >= 63 && report.current.value != nil
      ? IconArt.lines(SkyIcon(sky.first), sky.first?.isNight ?? false) : []
    let indent = art.isEmpty ? 0 : IconArt.width + 2
    let words = summaryLines(report, now, room: view.width - indent)
    return (0..<max(art.count, words.count)).map { row in
      var strip = view.strip
      if row < art.count { strip.add(art[row], .dim) }
      if row < words.count {
        strip.pad(to: indent)
        strip.add(words[row])
      }
      return strip
    }
  }

  private func summaryLines(_ report: WeatherReport, _ now: Int, room: Int) -> [StyledLine] {
    var lines = StyledLine.wrap(title(report), gap: 2, within: room, cells: view.cells)
    guard let current = report.current.value else { return lines }
    lines += StyledLine.wrap(sky(current), gap: 2, within: room, cells: view.cells)
    lines.append(
      field(
        view.say("Low", ko: "최소"),
        [
          (view.degrees(current.minTemperature), TemperatureRamp.role(current.minTemperature)),
          (" " + view.say("High", ko: "최대") + " ", .plain),
          (view.degrees(current.maxTemperature), TemperatureRamp.role(current.maxTemperature)),
        ]))
    lines += StyledLine.wrap(atmosphereFields(current), gap: 2, within: room, cells: view.cells)
    lines += StyledLine.wrap(times(report, current, now), gap: 2, within: room, cells: view.cells)
    return lines
  }

  private func title(_ report: WeatherReport) -> [StyledLine] {
    var pieces = [field("", [(report.title(in: view.language), .strong)])]
    if report.isSample { pieces.append(field("", [(view.say("sample data", ko: "예시 데이터"), .warning)])) }
    if report.current.isStale { pieces.append(field("", [(view.say("cached", ko: "이전 데이터"), .warning)])) }
    return pieces
  }

  private func sky(_ current: CurrentConditions) -> [StyledLine] {
    var pieces = [field("", [(view.degrees(current.temperature), TemperatureRamp.role(current.temperature))])]
    if !current.sky.isEmpty { pieces.append(field("", [(view.words(current.sky), .strong)])) }
    if let feels = current.feelsLike {
      pieces.append(field(view.say("feels like", ko: "체감"), [(view.degrees(feels), TemperatureRamp.role(feels))]))
    }
    return pieces
  }

  private func atmosphereFields(_ current: CurrentConditions) -> [StyledLine] {
    var pieces: [StyledLine] = []
    if let humidity = current.humidity { pieces.append(fact(view.say("humidity", ko: "습도"), "\(humidity)%")) }
    if let wind = current.wind { pieces.append(fact(view.say("wind", ko: "바람"), words(wind))) }
    if let rain = current.rain {
      pieces.append(field(view.say("rain", ko: "강수"), [(DecimalText.trimmed(rain) + " mm/h", .rain)]))
    }
    if let snow = current.snow {
      pieces.append(field(view.say("snow", ko: "적설"), [(DecimalText.trimmed(snow) + " mm/h", .rain)]))
    }
    if let pressure = current.pressure {
      pieces.append(fact(view.say("pressure", ko: "기압"), DecimalText.trimmed(pressure, 0) + " hPa"))
    }
    if let metres = current.visibility {
      pieces.append(fact(view.say("visibility", ko: "가시거리"), DecimalText.trimmed(Double(metres) / 1000) + " km"))
    }
    if let clouds = current.clouds { pieces.append(fact(view.say("clouds", ko: "구름"), "\(clouds)%")) }
    return pieces
  }

  private func words(_ wind: Wind) -> String {
    let from = view.ascii ? wind.name?[view.language].plain : wind.arrow
    let gust = wind.gust.map { " (" + view.say("gusts", ko: "돌풍") + " " + DecimalText.trimmed($0) + ")" } ?? ""
    return (from.map { $0 + " " } ?? "") + DecimalText.trimmed(wind.speed) + " m/s" + gust
  }

  private func times(_ report: WeatherReport, _ current: CurrentConditions, _ now: Int) -> [StyledLine] {
    func clock(_ instant: Int) -> String { LocalTime(instant, offset: report.utcOffset).clock }
    var pieces: [StyledLine] = []
    if let sunrise = current.sunrise { pieces.append(fact(view.say("sunrise", ko: "일출"), clock(sunrise))) }
    if let sunset = current.sunset { pieces.append(fact(view.say("sunset", ko: "일몰"), clock(sunset))) }
    if let time = current.time {
      pieces.append(field("", [(view.say("as of", ko: "기준") + " " + clock(time) + age(now - time), .dim)]))
    }
    return pieces
  }

  /// Returns the age, such as `, 3분 전`; nothing for a future time, which results from a wrong clock.
  private func age(_ seconds: Int) -> String {
    switch seconds {
    case ..<0: ""
    case ..<60: ", " + view.say("just now", ko: "방금")
    case ..<3600: ", " + view.say("\(seconds / 60) min ago", ko: "\(seconds / 60)분 전")
    case ..<172_800: ", " + view.say("\(seconds / 3600) h ago", ko: "\(seconds / 3600)시간 전")
    default: ", " + view.say("\(seconds / 86_400) days ago", ko: "\(seconds / 86_400)일 전")
    }
  }

  private func fact(_ label: String, _ value: String) -> StyledLine { field(label, [(value, .plain)]) }

  private func field(_ label: String, _ parts: [(String, WeatherView.Role)]) -> StyledLine {
    var strip = view.strip
    if !label.isEmpty { strip.add(label + " ", .dim) }
    for part in parts { strip.add(part.0, part.1) }
    return strip
  }
}

extension Sky {
  var isNight: Bool { icon?.hasSuffix("n") ?? false }
}
