/// What a condition is called. The service's own Korean is a machine's ("온흐림", "실 비"), so the words are ours, by
/// number, and the service's only where a number is new.
package enum ConditionText {
  package static func text(_ sky: Sky, in language: WeatherLanguage) -> String {
    if let id = sky.id, let phrase = table[id] { return phrase[language] }
    if let text = sky.text { return text }
    if let id = sky.id, let phrase = groups[id / 100] { return phrase[language] }
    return "?"
  }

  /// The words for a whole group, `5xx`.
  private static let groups: [Int: Phrase] = [
    2: Phrase("thunderstorm", ko: "천둥번개"), 3: Phrase("drizzle", ko: "이슬비"), 5: Phrase("rain", ko: "비"),
    6: Phrase("snow", ko: "눈"), 7: Phrase("mist", ko: "안개"), 8: Phrase("clouds", ko: "구름"),
  ]

  /// openweathermap.org/weather-conditions
  package static let table: [Int: Phrase] = [
    200: Phrase("thunderstorm with light rain", ko: "약한 비와 천둥번개"),
    201: Phrase("thunderstorm with rain", ko: "비와 천둥번개"),
    202: Phrase("thunderstorm with heavy rain", ko: "강한 비와 천둥번개"),
    210: Phrase("light thunderstorm", ko: "약한 천둥번개"),
    211: Phrase("thunderstorm", ko: "천둥번개"),
    212: Phrase("heavy thunderstorm", ko: "강한 천둥번개"),
    221: Phrase("ragged thunderstorm", ko: "곳곳에 천둥번개"),
    230: Phrase("thunderstorm with light drizzle", ko: "약한 이슬비와 천둥번개"),
    231: Phrase("thunderstorm with drizzle", ko: "이슬비와 천둥번개"),
    232: Phrase("thunderstorm with heavy drizzle", ko: "강한 이슬비와 천둥번개"),
    300: Phrase("light drizzle", ko: "약한 이슬비"),
    301: Phrase("drizzle", ko: "이슬비"),
    302: Phrase("heavy drizzle", ko: "강한 이슬비"),
    310: Phrase("light drizzle rain", ko: "약한 가랑비"),
    311: Phrase("drizzle rain", ko: "가랑비"),
    312: Phrase("heavy drizzle rain", ko: "강한 가랑비"),
    313: Phrase("shower rain and drizzle", ko: "소나기와 이슬비"),
    314: Phrase("heavy shower rain and drizzle", ko: "강한 소나기와 이슬비"),
    321: Phrase("shower drizzle", ko: "소나기성 이슬비"),
    500: Phrase("light rain", ko: "약한 비"),
    501: Phrase("moderate rain", ko: "비"),
    502: Phrase("heavy rain", ko: "강한 비"),
    503: Phrase("very heavy rain", ko: "매우 강한 비"),
    504: Phrase("extreme rain", ko: "극심한 비"),
    511: Phrase("freezing rain", ko: "어는 비"),
    520: Phrase("light shower rain", ko: "약한 소나기"),
    521: Phrase("shower rain", ko: "소나기"),
    522: Phrase("heavy shower rain", ko: "강한 소나기"),
    531: Phrase("ragged shower rain", ko: "곳곳에 소나기"),
    600: Phrase("light snow", ko: "약한 눈"),
    601: Phrase("snow", ko: "눈"),
    602: Phrase("heavy snow", ko: "강한 눈"),
    611: Phrase("sleet", ko: "진눈깨비"),
    612: Phrase("light shower sleet", ko: "약한 소낙성 진눈깨비"),
    613: Phrase("shower sleet", ko: "소낙성 진눈깨비"),
    615: Phrase("light rain and snow", ko: "약한 비와 눈"),
    616: Phrase("rain and snow", ko: "비와 눈"),
    620: Phrase("light shower snow", ko: "약한 소낙눈"),
    621: Phrase("shower snow", ko: "소낙눈"),
    622: Phrase("heavy shower snow", ko: "강한 소낙눈"),
    701: Phrase("mist", ko: "박무"),
    711: Phrase("smoke", ko: "연기"),
    721: Phrase("haze", ko: "연무"),
    731: Phrase("dust whirls", ko: "모래 먼지"),
    741: Phrase("fog", ko: "안개"),
    751: Phrase("sand", ko: "모래"),
    761: Phrase("dust", ko: "먼지"),
    762: Phrase("volcanic ash", ko: "화산재"),
    771: Phrase("squalls", ko: "돌풍"),
    781: Phrase("tornado", ko: "토네이도"),
    800: Phrase("clear sky", ko: "맑음"),
    801: Phrase("few clouds", ko: "구름 조금"),
    802: Phrase("scattered clouds", ko: "구름 약간 많음"),
    803: Phrase("broken clouds", ko: "구름 많음"),
    804: Phrase("overcast", ko: "흐림"),
  ]
}
