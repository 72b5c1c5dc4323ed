import Text

/// What a condition is called. The service's own Korean is a machine's ("온흐림", "실 비"), so the words are ours, by
/// number, and the service's only where a number is new.
package enum ConditionText {
  /// Our words for a condition, else the service's own, else those of its group; `?` for nothing known.
  package static func text(_ sky: Sky, in language: Tongue) -> String {
    if let id = sky.id, let words = table[id] { return words[language].plain }
    if let text = sky.text { return text }
    if let id = sky.id, let words = groups[id / 100] { return words[language].plain }
    return "?"
  }

  /// The words for a whole group, `5xx`.
  private static let groups: [Int: Wording] = [
    2: Wording("thunderstorm", ko: "천둥번개"), 3: Wording("drizzle", ko: "이슬비"), 5: Wording("rain", ko: "비"),
    6: Wording("snow", ko: "눈"), 7: Wording("mist", ko: "안개"), 8: Wording("clouds", ko: "구름"),
  ]

  /// openweathermap.org/weather-conditions
  package static let table: [Int: Wording] = [
    200: Wording("thunderstorm with light rain", ko: "약한 비와 천둥번개"),
    201: Wording("thunderstorm with rain", ko: "비와 천둥번개"),
    202: Wording("thunderstorm with heavy rain", ko: "강한 비와 천둥번개"),
    210: Wording("light thunderstorm", ko: "약한 천둥번개"),
    211: Wording("thunderstorm", ko: "천둥번개"),
    212: Wording("heavy thunderstorm", ko: "강한 천둥번개"),
    221: Wording("ragged thunderstorm", ko: "곳곳에 천둥번개"),
    230: Wording("thunderstorm with light drizzle", ko: "약한 이슬비와 천둥번개"),
    231: Wording("thunderstorm with drizzle", ko: "이슬비와 천둥번개"),
    232: Wording("thunderstorm with heavy drizzle", ko: "강한 이슬비와 천둥번개"),
    300: Wording("light drizzle", ko: "약한 이슬비"),
    301: Wording("drizzle", ko: "이슬비"),
    302: Wording("heavy drizzle", ko: "강한 이슬비"),
    310: Wording("light drizzle rain", ko: "약한 가랑비"),
    311: Wording("drizzle rain", ko: "가랑비"),
    312: Wording("heavy drizzle rain", ko: "강한 가랑비"),
    313: Wording("shower rain and drizzle", ko: "소나기와 이슬비"),
    314: Wording("heavy shower rain and drizzle", ko: "강한 소나기와 이슬비"),
    321: Wording("shower drizzle", ko: "소나기성 이슬비"),
    500: Wording("light rain", ko: "약한 비"),
    501: Wording("moderate rain", ko: "비"),
    502: Wording("heavy rain", ko: "강한 비"),
    503: Wording("very heavy rain", ko: "매우 강한 비"),
    504: Wording("extreme rain", ko: "극심한 비"),
    511: Wording("freezing rain", ko: "어는 비"),
    520: Wording("light shower rain", ko: "약한 소나기"),
    521: Wording("shower rain", ko: "소나기"),
    522: Wording("heavy shower rain", ko: "강한 소나기"),
    531: Wording("ragged shower rain", ko: "곳곳에 소나기"),
    600: Wording("light snow", ko: "약한 눈"),
    601: Wording("snow", ko: "눈"),
    602: Wording("heavy snow", ko: "강한 눈"),
    611: Wording("sleet", ko: "진눈깨비"),
    612: Wording("light shower sleet", ko: "약한 소낙성 진눈깨비"),
    613: Wording("shower sleet", ko: "소낙성 진눈깨비"),
    615: Wording("light rain and snow", ko: "약한 비와 눈"),
    616: Wording("rain and snow", ko: "비와 눈"),
    620: Wording("light shower snow", ko: "약한 소낙눈"),
    621: Wording("shower snow", ko: "소낙눈"),
    622: Wording("heavy shower snow", ko: "강한 소낙눈"),
    701: Wording("mist", ko: "박무"),
    711: Wording("smoke", ko: "연기"),
    721: Wording("haze", ko: "연무"),
    731: Wording("dust whirls", ko: "모래 먼지"),
    741: Wording("fog", ko: "안개"),
    751: Wording("sand", ko: "모래"),
    761: Wording("dust", ko: "먼지"),
    762: Wording("volcanic ash", ko: "화산재"),
    771: Wording("squalls", ko: "돌풍"),
    781: Wording("tornado", ko: "토네이도"),
    800: Wording("clear sky", ko: "맑음"),
    801: Wording("few clouds", ko: "구름 조금"),
    802: Wording("scattered clouds", ko: "구름 약간 많음"),
    803: Wording("broken clouds", ko: "구름 많음"),
    804: Wording("overcast", ko: "흐림"),
  ]
}
