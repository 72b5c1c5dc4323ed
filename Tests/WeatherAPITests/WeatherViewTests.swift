import Foundation
import TestSupport
import Testing
import Text

@testable import Presentation
@testable import WeatherAPI

@Suite struct WeatherViewTests {
  private static let current = "current-seoul-2021-10-01-kelvin-en"
  private static let forecast = "forecast-seoul-2021-10-01-kelvin-kr"

  @Test(arguments: [120, 80, 63, 40, 30], MessageLanguage.allCases)
  func viewEqualsGoldenAtEveryWidth(_ width: Int, _ language: MessageLanguage) throws {
    let report = try Support.report(Self.current, Self.forecast, language)
    for (ascii, ambiguous, name) in [(false, 1, "full"), (true, 1, "ascii"), (false, 2, "ambiguous")] {
      let text = Support.text(report, width, ascii: ascii, ambiguous: ambiguous)
      try Golden("\(name)-\(width)-\(language.rawValue)").check(text)
    }
    try Golden("list-\(width)-\(language.rawValue)").check(Support.text(report, width, isList: true))
  }

  @Test func noLineIsWiderThanItsTerminal() throws {
    for language in MessageLanguage.allCases {
      let report = try Support.report(
        Self.current, "forecast-shuzenji-2021-01-19-metric-en", language, units: .standard)
      for width in 1...140 where Trial.isLong || width < 50 || width % 3 == 0 {
        for isList in [false, true] {
          for ambiguous in [1, 2] {
            let lines = Support.text(report, width, ambiguous: ambiguous, isList: isList).split(separator: "\n")
            #expect(lines.allSatisfy { Support.cells(ambiguous: ambiguous).of(String($0)) <= width })
          }
        }
      }
    }
  }

  @Test func wordingEqualsTheReferenceApp() throws {
    let report = try Support.report(Self.current, Self.forecast, .korean)
    let header = Support.text(report, 80).split(separator: "\n")
    #expect(header.contains { $0.hasSuffix("최소 21.8°C 최대 25.3°C") })
    #expect(header.contains { $0.contains(" 23.8°C  맑음") })
    let rows = Support.text(report, 80, isList: true)
    for row in ["10/01(금) 12시 23.7°C", "10/01(금) 15시 24.8°C", "10/01(금) 18시 23.9°C", "10/01(금) 21시 22.0°C"] {
      #expect(rows.contains(row))
    }
    #expect(report.current.value?.conditions.first?.icon == "01d")
    #expect(report.forecast.value?.slots.prefix(4).map { $0.conditions.first?.icon } == ["01d", "01d", "01d", "01n"])
  }

  @Test(arguments: [
    (32_400, [4, 8, 8, 8, 8, 4], [0, 180, 360, 540, 720, 900, 1080, 1260]),
    (19_800, [6, 8, 8, 8, 8, 2], [150, 330, 510, 690, 870, 1050, 1230, 1410]),
    (-34_200, [3, 8, 8, 8, 8, 5], [150, 330, 510, 690, 870, 1050, 1230, 1410]),
  ])
  func daysAreInThePlacesTimeZone(_ offset: Int, _ counts: [Int], _ columns: [Int]) throws {
    var report = try Support.report(Self.current, Self.forecast, .english)
    var now = try #require(report.current.value)
    now.offset = offset
    report.current = .fresh(now)
    #expect(report.days.map(\.slots.count) == counts)
    #expect(LocalDay.periodStartMinutes(of: report.days) == columns)
    try Golden("offset-\(offset)").check(Support.text(report, 80) + "\n" + Support.text(report, 63))
  }

  /// The name of a day that fills its column is shortened for a temperature of three characters.
  @Test(arguments: [80, 120, 200]) func dayNameIsShortenedForThreeCharacterTemperatures(_ width: Int) throws {
    var report = try Support.report(Self.current, Self.forecast, .english)
    var forecast = try #require(report.forecast.value)
    for index in forecast.slots.indices { forecast.slots[index].temperature = -15 }
    report.forecast = .fresh(forecast)
    let text = Support.text(report, width)
    #expect(text.contains(" -15"))
    #expect(!text.contains(")-15"), "\(text)")
  }

  @Test func constantSeriesIsDrawnInTheMiddle() {
    #expect(Sparkline.levels([5, 5, nil, 5]) == [3, 3, nil, 3])
    #expect(Sparkline.levels([0, 7, 3.5, .nan]) == [0, 7, 4, nil])
    #expect(Sparkline.levels([]) == [])
    #expect(Sparkline.amounts([0, 0]) == [nil, nil])
    #expect(Sparkline.amounts([0, 1, 7]) == [nil, 1, 7])
  }

  @Test(arguments: [
    (0.0, "↓"), (360, "↓"), (22.4, "↓"), (22.5, "↙"), (90, "←"), (180, "↑"), (270, "→"), (337.5, "↓"), (-90, "→"),
  ])
  func windArrowPointsDownwind(_ degrees: Double, _ arrow: String) {
    #expect(Wind(speed: 1, degrees: degrees, gust: nil).arrow == arrow)
  }

  @Test(arguments: [
    ("37.57 126.98", "37.57, 126.98"), ("37.57,126.98", "37.57, 126.98"), ("-33.87, 151.2", "-33.87, 151.2"),
    ("서울", "서울"), ("London, GB", "London, GB"), ("91 0", "latitudeOutOfRange"), ("0 181", "longitudeOutOfRange"),
    ("42", "longitudeMissing"), (" ", "empty"), ("\u{200B}", "empty"), ("\u{202E}", "empty"),
    ("nan inf", "nan inf"), ("0x10 1e5", "0x10 1e5"),
  ])
  func placeQueryIsRead(_ text: String, _ expected: String) {
    let read =
      switch Result(catching: { () throws(PlaceError) in try PlaceQuery(text) }) {
      case .success(.coordinate(let point)): point.text
      case .success(.name(let name)): name
      case .failure(let misread): "\(misread)"
      }
    #expect(read == expected)
  }

  @Test func everyDocumentedConditionIsInBothLanguages() {
    for (id, words) in WeatherCondition.names {
      for language in MessageLanguage.allCases { #expect(!words[language].plain.isEmpty, "\(id)") }
    }
    #expect(WeatherCondition(id: 804, text: "온흐림").name(in: .korean) == "흐림")
    #expect(WeatherCondition(id: 599).name(in: .korean) == "비")
    #expect(WeatherCondition(id: 950).name(in: .english) == "?")
    #expect(WeatherIcon(WeatherCondition(id: 511)) == .snow)
  }
}
