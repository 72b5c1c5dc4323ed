import Foundation

/// The body of `/data/2.5/forecast`: slots at multiples of three hours UTC after now.
struct SampleForecast {
  let sky: SyntheticWeather
  let question: WeatherQuery
  let now: Int

  var json: String {
    let first = (now / 10_800 + 1) * 10_800
    let slots = (0..<question.count).map { slot(at: first + $0 * 10_800) }
    let geography = SampleGeography.near(latitude: sky.latitude, longitude: sky.longitude).first
    let sun = sky.sun(around: now)
    return "{\"cod\":\"200\",\"message\":0,\"cnt\":\(slots.count),\"list\":[\(slots.joined(separator: ","))],"
      + "\"city\":{\"id\":\(geography?.id ?? 0),\"name\":\"\(geography?.name ?? "")\","
      + "\"coord\":{\"lat\":\(SampleNumber.text(sky.latitude, decimals: 4)),"
      + "\"lon\":\(SampleNumber.text(sky.longitude, decimals: 4))},\"country\":\"\(geography?.country ?? "")\","
      + "\"population\":0,\"timezone\":\(sky.offset),\"sunrise\":\(sun?.rise ?? 0),\"sunset\":\(sun?.set ?? 0)}}"
  }

  private func slot(at instant: Int) -> String {
    let state = sky.state(at: instant)
    let condition = SampleCondition(state)
    let temperature = question.temperature(state.celsius)
    let chance =
      state.precipitationRate > 0 ? min(1, 0.4 + state.precipitationRate / 5) : max(0, (state.clouds - 0.5) * 0.6)
    let fall =
      state.precipitationRate > 0
      ? "\"\(condition.isSnow ? "snow" : "rain")\":{\"3h\":\(SampleNumber.text(state.precipitationRate * 3))}," : ""
    return "{\"dt\":\(instant),\"main\":{\"temp\":\(temperature),\"feels_like\":\(temperature),"
      + "\"temp_min\":\(temperature),\"temp_max\":\(temperature),\"pressure\":\(state.pressure),"
      + "\"sea_level\":\(state.pressure),\"grnd_level\":\(state.pressure - 6),\"humidity\":\(state.humidity),"
      + "\"temp_kf\":0},\"weather\":[\(condition.json(isKorean: question.isKorean))],"
      + "\"clouds\":{\"all\":\(SampleNumber.rounded(state.clouds * 100))},"
      + "\"wind\":{\"speed\":\(question.speed(state.windSpeed)),\"deg\":\(state.windDegrees),"
      + "\"gust\":\(question.speed(state.windSpeed * 1.6))},\"visibility\":\(state.precipitationRate > 2 ? 6000 : 10_000),"
      + "\"pop\":\(SampleNumber.text(chance)),\(fall)\"sys\":{\"pod\":\"\(state.isDay ? "d" : "n")\"},"
      + "\"dt_txt\":\"\(utc(instant))\"}"
  }

  private func utc(_ instant: Int) -> String {
    let date = Date(timeIntervalSince1970: Double(instant))
    return date.formatted(.iso8601.year().month().day().dateSeparator(.dash)) + " "
      + date.formatted(.iso8601.time(includingFractionalSeconds: false).timeSeparator(.colon))
  }
}
