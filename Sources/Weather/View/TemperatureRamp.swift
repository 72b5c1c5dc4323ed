/// Cold to hot in 21 steps, with a colour of the 256-colour palette for each.
package enum TemperatureRamp {
  /// Where each step after the first begins, °C: finer where people live.
  private static let steps: [Double] = [
    -15, -12, -9, -6, -3, 0, 2, 4, 6, 8, 10, 13, 16, 19, 22, 25, 28, 31, 34, 37,
  ]

  /// xterm's palette, blue over green and yellow to red.
  package static let colors: [UInt8] = [
    21, 27, 33, 39, 45, 51, 50, 49, 48, 47, 46, 82, 118, 154, 190, 226, 220, 214, 208, 202, 196,
  ]

  package static func step(_ celsius: Double) -> Int { steps.count { celsius >= $0 } }

  static func role(_ celsius: Double?) -> WeatherView.Role {
    celsius.map { .temperature(step($0)) } ?? .plain
  }
}
