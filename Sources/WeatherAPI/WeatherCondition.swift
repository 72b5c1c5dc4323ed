import Text

/// A weather condition of the service; there may be several at a time.
package struct WeatherCondition: Hashable, Sendable {
  package var id: Int?
  /// The service's description in the requested language.
  package var text: String?
  /// The icon's code, such as `10d`: one of nine pictures by day or night.
  package var icon: String?

  package var isNight: Bool { icon?.hasSuffix("n") ?? false }

  /// Returns our name of the condition, else that of the service, else that of its group, else `?`.
  ///
  /// The service's Korean is machine-translated ("온흐림", "실 비"), so our own names are used by number, and the service's
  /// only for an unknown number.
  package func name(in language: MessageLanguage) -> String {
    if let id, let name = WeatherCondition.names[id] { return name[language].plain }
    if let text { return text }
    if let id, let name = WeatherCondition.groups[id / 100] { return name[language].plain }
    return "?"
  }

  /// The names of the groups, such as `5xx`.
  private static let groups: [Int: LocalizedText] = [
    2: LocalizedText("thunderstorm", ko: "천둥번개"), 3: LocalizedText("drizzle", ko: "이슬비"),
    5: LocalizedText("rain", ko: "비"),
    6: LocalizedText("snow", ko: "눈"), 7: LocalizedText("mist", ko: "안개"), 8: LocalizedText("clouds", ko: "구름"),
  ]

  /// The names by number; source: openweathermap.org/weather-conditions.
  static let names: [Int: LocalizedText] = [
    200: LocalizedText("thunderstorm with light rain", ko: "약한 비와 천둥번개"),
    201: LocalizedText("thunderstorm with rain", ko: "비와 천둥번개"),
    202: LocalizedText("thunderstorm with heavy rain", ko: "강한 비와 천둥번개"),
    210: LocalizedText("light thunderstorm", ko: "약한 천둥번개"),
    211: LocalizedText("thunderstorm", ko: "천둥번개"),
    212: LocalizedText("heavy thunderstorm", ko: "강한 천둥번개"),
    221: LocalizedText("ragged thunderstorm", ko: "곳곳에 천둥번개"),
    230: LocalizedText("thunderstorm with light drizzle", ko: "약한 이슬비와 천둥번개"),
    231: LocalizedText("thunderstorm with drizzle", ko: "이슬비와 천둥번개"),
    232: LocalizedText("thunderstorm with heavy drizzle", ko: "강한 이슬비와 천둥번개"),
    300: LocalizedText("light drizzle", ko: "약한 이슬비"),
    301: LocalizedText("drizzle", ko: "이슬비"),
    302: LocalizedText("heavy drizzle", ko: "강한 이슬비"),
    310: LocalizedText("light drizzle rain", ko: "약한 가랑비"),
    311: LocalizedText("drizzle rain", ko: "가랑비"),
    312: LocalizedText("heavy drizzle rain", ko: "강한 가랑비"),
    313: LocalizedText("shower rain and drizzle", ko: "소나기와 이슬비"),
    314: LocalizedText("heavy shower rain and drizzle", ko: "강한 소나기와 이슬비"),
    321: LocalizedText("shower drizzle", ko: "소나기성 이슬비"),
    500: LocalizedText("light rain", ko: "약한 비"),
    501: LocalizedText("moderate rain", ko: "비"),
    502: LocalizedText("heavy rain", ko: "강한 비"),
    503: LocalizedText("very heavy rain", ko: "매우 강한 비"),
    504: LocalizedText("extreme rain", ko: "극한호우"),
    511: LocalizedText("freezing rain", ko: "어는 비"),
    520: LocalizedText("light shower rain", ko: "약한 소나기"),
    521: LocalizedText("shower rain", ko: "소나기"),
    522: LocalizedText("heavy shower rain", ko: "강한 소나기"),
    531: LocalizedText("ragged shower rain", ko: "곳곳에 소나기"),
    600: LocalizedText("light snow", ko: "약한 눈"),
    601: LocalizedText("snow", ko: "눈"),
    602: LocalizedText("heavy snow", ko: "강한 눈"),
    611: LocalizedText("sleet", ko: "진눈깨비"),
    612: LocalizedText("light shower sleet", ko: "약한 소낙성 진눈깨비"),
    613: LocalizedText("shower sleet", ko: "소낙성 진눈깨비"),
    615: LocalizedText("light rain and snow", ko: "약한 비와 눈"),
    616: LocalizedText("rain and snow", ko: "비와 눈"),
    620: LocalizedText("light shower snow", ko: "약한 소낙눈"),
    621: LocalizedText("shower snow", ko: "소낙눈"),
    622: LocalizedText("heavy shower snow", ko: "강한 소낙눈"),
    701: LocalizedText("mist", ko: "박무"),
    711: LocalizedText("smoke", ko: "연기"),
    721: LocalizedText("haze", ko: "연무"),
    731: LocalizedText("dust whirls", ko: "회오리 먼지"),
    741: LocalizedText("fog", ko: "안개"),
    751: LocalizedText("sand", ko: "모래"),
    761: LocalizedText("dust", ko: "먼지"),
    762: LocalizedText("volcanic ash", ko: "화산재"),
    771: LocalizedText("squalls", ko: "돌풍"),
    781: LocalizedText("tornado", ko: "토네이도"),
    800: LocalizedText("clear sky", ko: "맑음"),
    801: LocalizedText("few clouds", ko: "구름 조금"),
    802: LocalizedText("scattered clouds", ko: "구름 약간 많음"),
    803: LocalizedText("broken clouds", ko: "구름 많음"),
    804: LocalizedText("overcast", ko: "흐림"),
  ]
}
