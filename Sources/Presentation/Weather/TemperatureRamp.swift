/// A scale of temperatures in 21 steps with a color of the 256-color palette for each.
package enum TemperatureRamp {
  /// The lower bounds of all steps but the first in °C, finer in the range of inhabited places.
  private static let steps: [Double] = [
    -15, -12, -9, -6, -3, 0, 2, 4, 6, 8, 10, 13, 16, 19, 22, 25, 28, 31, 34, 37,
  ]

  /// The colors of xterm's palette from blue to red.
  package static let colors: [UInt8] = [
    21, 27, 33, 39, 45, 51, 50, 49, 48, 47, 46, 82, 118, 154, 190, 226, 220, 214, 208, 202, 196,
  ]

  /// Returns the step of a temperature, 0 for the coldest.
  package static func step(_ celsius: Double) -> Int { steps.count { celsius >= $0 } }

  static func role(_ celsius: Double?) -> WeatherView.Role {
    celsius.map { .temperature(step($0)) } ?? .plain
  }
}
