/// Names every part that failed and why, beside the rest that is shown.
struct Failures {
  let view: WeatherView

  func strips(_ report: WeatherReport) -> [Strip] {
    report.failures.flatMap { failure in
      let name = failure.name[view.language]
      let reason = failure.error.reason[view.language]
      let old = failure.isStale ? view.say(" (an old answer is shown)", " (지난 자료를 보입니다)") : ""
      return wrapped("! " + name + ": " + reason + old)
    }
  }

  private func wrapped(_ text: String) -> [Strip] {
    let words = text.split(separator: " ").map { word in
      var strip = view.strip
      strip.add(String(word), .warning)
      return strip
    }
    return Strip.flow(words, gap: 1, within: view.width, cells: view.cells)
  }
}
