import Text

/// The days of the week by their names in English and Korean.
package enum Weekday {
  private static let english = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
  private static let korean = ["일요일", "월요일", "화요일", "수요일", "목요일", "금요일", "토요일"]

  /// Returns 0 for Sunday to 6 for Saturday, or `nil` for a word that names no weekday.
  ///
  /// `word` is in lower case.
  package static func number(of word: String) -> Int64? {
    (english.firstIndex(of: word) ?? korean.firstIndex(of: word)).map { Int64($0) }
  }

  /// Returns the number of days, 1 to 7, from the last such weekday to a day.
  ///
  /// On a Monday, `monday` is a week ago; for the current day there is `today`.
  static func daysBack(from day: CivilDate, to weekday: Int64) -> Int64 {
    let back = (day.weekday - weekday + 7) % 7
    return back == 0 ? 7 : back
  }
}
