/// The body of `/data/2.5/weather`, with keys in the order of the service.
struct SampleCurrent {
  let sky: SyntheticWeather
  let question: WeatherQuery
  let now: Int

  var json: String {
    let state = sky.state(at: now)
    let condition = SampleCondition(state)
    let geography = SampleGeography.near(latitude: sky.latitude, longitude: sky.longitude).first
    let sun = sky.sun(around: now)
    let fall =
      state.precipitationRate > 0
      ? ",\"\(condition.isSnow ? "snow" : "rain")\":{\"1h\":\(SampleNumber.text(state.precipitationRate))}" : ""
    let country = geography.map { "\"country\":\"\($0.country)\"," } ?? ""
    return "{\"coord\":{\"lon\":\(SampleNumber.text(sky.longitude, decimals: 4)),"
      + "\"lat\":\(SampleNumber.text(sky.latitude, decimals: 4))},"
      + "\"weather\":[\(condition.json(isKorean: question.isKorean))],\"base\":\"stations\","
      + "\"main\":{\(temperatures(state)),\"pressure\":\(state.pressure),\"humidity\":\(state.humidity),"
      + "\"sea_level\":\(state.pressure),\"grnd_level\":\(state.pressure - 6)},"
      + "\"visibility\":\(state.precipitationRate > 2 ? 6000 : 10_000),"
      + "\"wind\":{\"speed\":\(question.speed(state.windSpeed)),\"deg\":\(state.windDegrees),"
      + "\"gust\":\(question.speed(state.windSpeed * 1.6))}\(fall),"
      + "\"clouds\":{\"all\":\(SampleNumber.rounded(state.clouds * 100))},\"dt\":\(now),"
      + "\"sys\":{\(country)\"sunrise\":\(sun?.rise ?? 0),\"sunset\":\(sun?.set ?? 0)},"
      + "\"timezone\":\(sky.offset),\"id\":\(geography?.id ?? 0),\"name\":\"\(geography?.name ?? "")\",\"cod\":200}"
  }

  private func temperatures(_ state: SyntheticWeather.State) -> String {
    let feels =
      state.celsius - (state.celsius < 10 ? state.windSpeed * 0.5 : 0)
      + (state.celsius > 26 ? Double(state.humidity - 40) * 0.05 : 0)
    return "\"temp\":\(question.temperature(state.celsius)),\"feels_like\":\(question.temperature(feels)),"
      + "\"temp_min\":\(question.temperature(state.celsius - 1.3)),"
      + "\"temp_max\":\(question.temperature(state.celsius + 1.1))"
  }
}
