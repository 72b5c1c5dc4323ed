import Foundation
import Images

/// The weather at one point as a function of time: seasons from the latitude, days from the sun, and noise from a hash.
struct SyntheticWeather {
  let latitude: Double
  let longitude: Double

  /// The weather at a time.
  struct State {
    var celsius: Double
    /// The cloud cover, 0 to 1.
    var clouds: Double
    /// The precipitation in mm per hour.
    var precipitationRate: Double
    var humidity: Int
    var pressure: Int
    var windSpeed: Double
    var windDegrees: Int
    var isDay: Bool
  }

  func state(at instant: Int) -> State {
    let declination = declination(instant)
    let hour = solarHour(instant)
    let daily = cos((hour - 15) / 24 * 2 * .pi)
    let season = (90 - abs(latitude - declination * 0.8)) / 90
    let clouds = min(1, max(0, smoothNoise(instant, every: 64_800, salt: 1) * 1.5 - 0.25))
    let front = smoothNoise(instant, every: 43_200, salt: 2)
    let wet = clouds > 0.6 && front > 0.5 ? (front - 0.5) * 9 : 0
    let celsius =
      -28 + 58 * season + daily * (6.5 - 4 * clouds) + (smoothNoise(instant, every: 172_800, salt: 3) - 0.5) * 9
      - wet * 0.6
    let humidity = 45 + 30 * clouds - 10 * daily + min(20, wet * 6)
    return State(
      celsius: celsius, clouds: clouds, precipitationRate: wet,
      humidity: min(100, max(15, SampleNumber.rounded(humidity))),
      pressure: SampleNumber.rounded(1021 - 16 * clouds + 6 * (smoothNoise(instant, every: 86_400, salt: 4) - 0.5)),
      windSpeed: 0.5 + 7 * smoothNoise(instant, every: 32_400, salt: 5) + wet * 0.4,
      windDegrees: SampleNumber.rounded(smoothNoise(instant, every: 86_400, salt: 6) * 360), isDay: isDay(instant))
  }

  /// The offset from UTC in seconds to the east: that of a known town, or else by the longitude.
  var offset: Int {
    SampleGeography.near(latitude: latitude, longitude: longitude).first?.offset
      ?? SampleNumber.rounded(longitude / 15) * 3600
  }

  /// Returns sunrise and sunset of the day of `instant` in UTC, or `nil` if the sun does not rise or set.
  func sun(around instant: Int) -> (rise: Int, set: Int)? {
    let tilt = declination(instant) * .pi / 180
    let north = latitude * .pi / 180
    let cosine = (sin(-0.833 * .pi / 180) - sin(north) * sin(tilt)) / (cos(north) * cos(tilt))
    guard cosine.isFinite, abs(cosine) < 1 else { return nil }
    let half = acos(cosine) / (2 * .pi) * 86_400
    let local = instant + offset
    let midnight = local - ((local % 86_400) + 86_400) % 86_400 - offset
    let noon = Double(midnight) + 43_200 + Double(offset) - longitude * 240
    return (SampleNumber.rounded(noon - half), SampleNumber.rounded(noon + half))
  }

  private func isDay(_ instant: Int) -> Bool {
    if let sun = sun(around: instant) { return (sun.rise..<sun.set).contains(instant) }
    return latitude * declination(instant) > 0
  }

  private func declination(_ instant: Int) -> Double {
    let day = Double(instant) / 86_400
    return -23.44 * cos((day + 10) / 365.2425 * 2 * .pi)
  }

  private func solarHour(_ instant: Int) -> Double {
    (Double(instant) / 3600 + longitude / 15).truncatingRemainder(dividingBy: 24)
  }

  /// Returns smooth noise from 0 to 1, different for every tenth of a degree.
  private func smoothNoise(_ instant: Int, every step: Int, salt: UInt64) -> Double {
    let position = Double(instant) / Double(step)
    let start = position.rounded(.down)
    let share = position - start
    let eased = share * share * (3 - 2 * share)
    let index = SampleNumber.rounded(start)
    return hashNoise(index, salt) * (1 - eased) + hashNoise(index + 1, salt) * eased
  }

  /// Returns a hash of position, step and salt as a fraction of one.
  private func hashNoise(_ step: Int, _ salt: UInt64) -> Double {
    var bits = UInt64(bitPattern: Int64(step)) &* SeededGenerator.increment
    bits ^= UInt64(bitPattern: Int64(SampleNumber.rounded(latitude * 10))) &* 0xBF58_476D_1CE4_E5B9
    bits ^= UInt64(bitPattern: Int64(SampleNumber.rounded(longitude * 10))) &* 0x94D0_49BB_1331_11EB
    bits = SeededGenerator.mixed(bits &+ salt &* SeededGenerator.increment)
    return Double(bits >> 11) / 9_007_199_254_740_992
  }
}
