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
    _ id: Int, _ name: String, korean: String, country: String, latitude: Double, longitude: Double,
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
    return all.filter { geography in
      [geography.name.lowercased(), geography.korean].contains(name)
        && parts.dropFirst().allSatisfy {
          [geography.country.lowercased(), geography.state?.lowercased()].contains($0)
        }
    }
  }

  /// Returns the towns within 60 km, nearest first.
  static func near(latitude: Double, longitude: Double) -> [SampleGeography] {
    let found = all.map { geography in (geography, geography.distance(latitude, longitude)) }.filter { $0.1 < 60 }
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
    SampleGeography(1_835_848, "Seoul", korean: "서울", country: "KR", latitude: 37.5667, longitude: 126.9783, hours: 9),
    SampleGeography(1_838_524, "Busan", korean: "부산", country: "KR", latitude: 35.1796, longitude: 129.0756, hours: 9),
    SampleGeography(
      1_843_564, "Incheon", korean: "인천", country: "KR", latitude: 37.4563, longitude: 126.7052, hours: 9),
    SampleGeography(1_835_329, "Daegu", korean: "대구", country: "KR", latitude: 35.8714, longitude: 128.6014, hours: 9),
    SampleGeography(
      1_835_235, "Daejeon", korean: "대전", country: "KR", latitude: 36.3504, longitude: 127.3845, hours: 9),
    SampleGeography(
      1_841_808, "Gwangju", korean: "광주", country: "KR", latitude: 35.1595, longitude: 126.8526, hours: 9),
    SampleGeography(1_833_747, "Ulsan", korean: "울산", country: "KR", latitude: 35.5384, longitude: 129.3114, hours: 9),
    SampleGeography(
      1_846_266, "Jeju City", korean: "제주시", country: "KR", latitude: 33.4996, longitude: 126.5312, hours: 9),
    SampleGeography(1_850_147, "Tokyo", korean: "도쿄", country: "JP", latitude: 35.6828, longitude: 139.7595, hours: 9),
    SampleGeography(
      1_819_729, "Hong Kong", korean: "홍콩", country: "HK", latitude: 22.2793, longitude: 114.1628, hours: 8),
    SampleGeography(
      1_880_252, "Singapore", korean: "싱가포르", country: "SG", latitude: 1.2899, longitude: 103.8519, hours: 8),
    SampleGeography(
      1_275_339, "Mumbai", korean: "뭄바이", country: "IN", latitude: 19.0785, longitude: 72.8782, hours: 5.5),
    SampleGeography(
      1_283_240, "Kathmandu", korean: "카트만두", country: "NP", latitude: 27.7083, longitude: 85.3206, hours: 5.75),
    SampleGeography(
      2_147_714, "Sydney", korean: "시드니", country: "AU", latitude: -33.8698, longitude: 151.2083, hours: 10),
    SampleGeography(
      2_643_743, "London", korean: "런던", country: "GB", latitude: 51.5074, longitude: -0.1278, hours: 0,
      state: "England"),
    SampleGeography(
      6_058_560, "London", korean: "런던", country: "CA", latitude: 42.9834, longitude: -81.233, hours: -5,
      state: "Ontario"),
    SampleGeography(
      4_517_009, "London", korean: "런던", country: "US", latitude: 39.8865, longitude: -83.4483, hours: -5, state: "Ohio"
    ),
    SampleGeography(2_988_507, "Paris", korean: "파리", country: "FR", latitude: 48.8535, longitude: 2.3484, hours: 1),
    SampleGeography(2_950_159, "Berlin", korean: "베를린", country: "DE", latitude: 52.517, longitude: 13.3889, hours: 1),
    SampleGeography(
      3_413_829, "Reykjavik", korean: "레이캬비크", country: "IS", latitude: 64.146, longitude: -21.9422, hours: 0),
    SampleGeography(
      5_128_581, "New York", korean: "뉴욕", country: "US", latitude: 40.7127, longitude: -74.006, hours: -5,
      state: "New York"),
    SampleGeography(
      5_391_811, "San Diego", korean: "샌디에이고", country: "US", latitude: 32.7174, longitude: -117.1628, hours: -8,
      state: "California"),
    SampleGeography(
      3_448_439, "São Paulo", korean: "상파울루", country: "BR", latitude: -23.5507, longitude: -46.6334, hours: -3),
    SampleGeography(
      4_020_109, "Atuona", korean: "아투오나", country: "PF", latitude: -9.8039, longitude: -139.0425, hours: -9.5),
    SampleGeography(184_745, "Nairobi", korean: "나이로비", country: "KE", latitude: -1.2833, longitude: 36.8172, hours: 3),
  ]
}
