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
