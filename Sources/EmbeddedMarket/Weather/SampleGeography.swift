import Foundation

/// A town known to the sample geocoder.
struct SampleGeography {
  var id: Int
  var name: String
  var korean: String
  var country: String
  var state: String?
  var latitude: Double
  var longitude: Double
  /// The offset from UTC in seconds to the east, without daylight saving time.
  var offset: Int

  init(
    _ id: Int, _ name: String, _ korean: String, _ country: String, _ latitude: Double, _ longitude: Double,
    hours: Double, state: String? = nil
  ) {
    self.id = id
    self.name = name
    self.korean = korean
    self.country = country
    self.state = state
    self.latitude = latitude
    self.longitude = longitude
    offset = SampleNumber.rounded(hours * 3600)
  }

  var json: String {
    "{\"name\":\"\(name)\",\"local_names\":{\"en\":\"\(name)\",\"ko\":\"\(korean)\"},"
      + "\"lat\":\(SampleNumber.text(latitude, decimals: 4)),\"lon\":\(SampleNumber.text(longitude, decimals: 4)),"
      + "\"country\":\"\(country)\"" + (state.map { ",\"state\":\"\($0)\"" } ?? "") + "}"
  }

  /// Returns the towns for a query such as `서울`, `london`, `London,GB` or `London,Ohio,US`.
  static func named(_ query: String) -> [SampleGeography] {
    let parts = query.precomposedStringWithCanonicalMapping.lowercased().split(separator: ",")
      .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }.filter { !$0.isEmpty }
    guard let name = parts.first else { return [] }
    return all.filter { town in
      [town.name.lowercased(), town.korean].contains(name)
        && parts.dropFirst().allSatisfy { [town.country.lowercased(), town.state?.lowercased()].contains($0) }
    }
  }

  /// Returns the towns within 60 km, nearest first.
  static func near(latitude: Double, longitude: Double) -> [SampleGeography] {
    let found = all.map { town in (town, town.distance(latitude, longitude)) }.filter { $0.1 < 60 }
    return found.sorted { $0.1 < $1.1 }.map(\.0)
  }

  /// Returns the distance in kilometres (haversine formula).
  private func distance(_ north: Double, _ east: Double) -> Double {
    let rad = Double.pi / 180
    let a =
      pow(sin((north - latitude) * rad / 2), 2)
      + cos(north * rad) * cos(latitude * rad) * pow(sin((east - longitude) * rad / 2), 2)
    return 12_742 * asin(min(1, a.squareRoot()))
  }

  static let all: [SampleGeography] = [
    SampleGeography(1_835_848, "Seoul", "서울", "KR", 37.5667, 126.9783, hours: 9),
    SampleGeography(1_838_524, "Busan", "부산", "KR", 35.1796, 129.0756, hours: 9),
    SampleGeography(1_843_564, "Incheon", "인천", "KR", 37.4563, 126.7052, hours: 9),
    SampleGeography(1_835_329, "Daegu", "대구", "KR", 35.8714, 128.6014, hours: 9),
    SampleGeography(1_835_235, "Daejeon", "대전", "KR", 36.3504, 127.3845, hours: 9),
    SampleGeography(1_841_808, "Gwangju", "광주", "KR", 35.1595, 126.8526, hours: 9),
    SampleGeography(1_833_747, "Ulsan", "울산", "KR", 35.5384, 129.3114, hours: 9),
    SampleGeography(1_846_266, "Jeju City", "제주시", "KR", 33.4996, 126.5312, hours: 9),
    SampleGeography(1_850_147, "Tokyo", "도쿄", "JP", 35.6828, 139.7595, hours: 9),
    SampleGeography(1_819_729, "Hong Kong", "홍콩", "HK", 22.2793, 114.1628, hours: 8),
    SampleGeography(1_880_252, "Singapore", "싱가포르", "SG", 1.2899, 103.8519, hours: 8),
    SampleGeography(1_275_339, "Mumbai", "뭄바이", "IN", 19.0785, 72.8782, hours: 5.5),
    SampleGeography(1_283_240, "Kathmandu", "카트만두", "NP", 27.7083, 85.3206, hours: 5.75),
    SampleGeography(2_147_714, "Sydney", "시드니", "AU", -33.8698, 151.2083, hours: 10),
    SampleGeography(2_643_743, "London", "런던", "GB", 51.5074, -0.1278, hours: 0, state: "England"),
    SampleGeography(6_058_560, "London", "런던", "CA", 42.9834, -81.233, hours: -5, state: "Ontario"),
    SampleGeography(4_517_009, "London", "런던", "US", 39.8865, -83.4483, hours: -5, state: "Ohio"),
    SampleGeography(2_988_507, "Paris", "파리", "FR", 48.8535, 2.3484, hours: 1),
    SampleGeography(2_950_159, "Berlin", "베를린", "DE", 52.517, 13.3889, hours: 1),
    SampleGeography(3_413_829, "Reykjavik", "레이캬비크", "IS", 64.146, -21.9422, hours: 0),
    SampleGeography(5_128_581, "New York", "뉴욕", "US", 40.7127, -74.006, hours: -5, state: "New York"),
    SampleGeography(5_391_811, "San Diego", "샌디에이고", "US", 32.7174, -117.1628, hours: -8, state: "California"),
    SampleGeography(3_448_439, "São Paulo", "상파울루", "BR", -23.5507, -46.6334, hours: -3),
    SampleGeography(4_020_109, "Atuona", "아투오나", "PF", -9.8039, -139.0425, hours: -9.5),
    SampleGeography(184_745, "Nairobi", "나이로비", "KE", -1.2833, 36.8172, hours: 3),
  ]
}

/// The weather at one point as a function of time: seasons from the latitude, days from the sun, and noise from a hash.
struct SyntheticWeather {
  let latitude: Double
  let longitude: Double

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
      celsius: celsius, clouds: clouds, precipitationRate: wet, humidity: min(100, max(15, SampleNumber.rounded(humidity))),
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

  /// Returns SplitMix64 of position, step and salt as a fraction of one.
  private func hashNoise(_ step: Int, _ salt: UInt64) -> Double {
    var bits = UInt64(bitPattern: Int64(step)) &* 0x9E37_79B9_7F4A_7C15
    bits ^= UInt64(bitPattern: Int64(SampleNumber.rounded(latitude * 10))) &* 0xBF58_476D_1CE4_E5B9
    bits ^= UInt64(bitPattern: Int64(SampleNumber.rounded(longitude * 10))) &* 0x94D0_49BB_1331_11EB
    bits = bits &+ salt &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    return Double(bits >> 11) / 9_007_199_254_740_992
  }
}
