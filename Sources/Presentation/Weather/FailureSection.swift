import Text
import WeatherAPI

/// The failed parts and their reasons, shown in addition to the rest.
struct FailureSection {
  let view: WeatherView

  func strips(_ report: WeatherReport) -> [StyledLine] {
    report.failures.flatMap { failure in
      let name = failure.name[view.language].plain
      let reason = failure.error.reason[view.language].plain
      let old = failure.isStale ? view.say(" (showing cached data)", ko: " (이전 데이터를 표시합니다)") : ""
      return wrapped("! " + name + ": " + reason + old)
    }
  }

  private func wrapped(_ text: String) -> [StyledLine] {
    let words = text.split(separator: " ").map { word in
      var strip = view.strip
      strip.add(String(word), .warning)
      return strip
    }
    return StyledLine.wrap(words, gap: 1, within: view.width, cells: view.cells)
  }
}
