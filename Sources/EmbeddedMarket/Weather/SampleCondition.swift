/// The weather condition of the service for a state of the sky.
struct SampleCondition {
  var id: Int
  var main: String
  var english: String
  var korean: String
  var icon: String

  init(_ state: SyntheticWeather.State) {
    let half = state.isDay ? "d" : "n"
    (id, main, english, korean, icon) =
      switch (state.precipitationRate, state.celsius, state.clouds) {
      case (3..., 1..., _): (502, "Rain", "heavy intensity rain", "강한 비", "10" + half)
      case (1..., 1..., _): (501, "Rain", "moderate rain", "보통 비", "10" + half)
      case (0.01..., 1..., _): (500, "Rain", "light rain", "실 비", "10" + half)
      case (1.5..., _, _): (601, "Snow", "snow", "눈", "13" + half)
      case (0.01..., _, _): (600, "Snow", "light snow", "가벼운 눈", "13" + half)
      case (_, _, 0.85...): (804, "Clouds", "overcast clouds", "온흐림", "04" + half)
      case (_, _, 0.5...): (803, "Clouds", "broken clouds", "튼구름", "04" + half)
      case (_, _, 0.25...): (802, "Clouds", "scattered clouds", "구름조금", "03" + half)
      case (_, _, 0.11...): (801, "Clouds", "few clouds", "약간의 구름이 낀 하늘", "02" + half)
      default: (800, "Clear", "clear sky", "맑음", "01" + half)
      }
  }

  func json(isKorean: Bool) -> String {
    "{\"id\":\(id),\"main\":\"\(main)\",\"description\":\"\(isKorean ? korean : english)\",\"icon\":\"\(icon)\"}"
  }

  var isSnow: Bool { main == "Snow" }
}
