import Foundation
import Text

/// A date and time as the server sent it: without a time zone, or in UTC in editions that send Unix time.
///
/// Timestamps sort chronologically and print as `2022-10-18T00:00:00`, with `Z` for UTC.
package struct Timestamp: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Seconds since 1970-01-01T00:00:00 in the server's calendar, whatever its time zone was.
  package let seconds: Int64
  package let isUTC: Bool

  /// The range of seconds since 1970 that can be a timestamp: up to the end of the year 9999.
  package static let representableRange: ClosedRange<Int64> = 0...253_402_300_799

  package init(seconds: Int64, isUTC: Bool) {
    self.seconds = seconds
    self.isUTC = isUTC
  }

  /// Creates the timestamp of an instant in UTC, rounded down to a second.
  ///
  /// An instant that can't be counted in seconds becomes 1970.
  package init(_ instant: Date) {
    self.init(seconds: Int64(exactly: instant.timeIntervalSince1970.rounded(.down)) ?? 0, isUTC: true)
  }

  /// Parses `yyyy-MM-dd`, optionally followed by `T` or a space, `HH:mm:ss`, a fraction (cut off) and `Z` or an offset
  /// such as `+09:00` or `+0900`; otherwise returns `nil`.
  ///
  /// A time with an offset becomes one in UTC.
  package init?(_ text: String) {
    if let usual = text.utf8.withContiguousStorageIfAvailable(Timestamp.parseFixedFormat), let usual {
      self = usual
    } else {
      self.init(any: text)
    }
  }

  /// Parses the same formats as `init(_:)` from UTF-8 bytes.
  ///
  /// The usual format needs no intermediate string.
  package init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
    if let usual = Timestamp.parseFixedFormat(bytes) {
      self = usual
    } else {
      self.init(any: String(decoding: bytes, as: UTF8.self))
    }
  }

  private init?(any text: String) {
    var rest = Substring(text)
    let offset = Timestamp.offset(endOf: &rest)
    let halves = rest.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
    let date = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    guard date.count == 3, let year = Timestamp.number(date[0], 4), let month = Timestamp.number(date[1], 2),
      let day = Timestamp.number(date[2], 2), let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    var second: Int64 = 0
    if halves.count == 2 {
      let clock = halves[1].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      if clock.count == 2, clock[1].isEmpty || !clock[1].utf8.allSatisfy({ (48...57).contains($0) }) { return nil }
      let time = clock[0].split(separator: ":", omittingEmptySubsequences: false)
      guard time.count == 3, let h = Timestamp.number(time[0], 2), let m = Timestamp.number(time[1], 2),
        let s = Timestamp.number(time[2], 2), h < 24, m < 60, s < 61
      else { return nil }
      second = h * 3600 + m * 60 + s
    }
    self.init(seconds: date.daysSince1970 * 86_400 + second - (offset ?? 0), isUTC: offset != nil)
  }

  /// Removes `Z` or an offset from the end of a date with a time, and returns its seconds to the east, or `nil` if there
  /// is none.
  private static func offset(endOf text: inout Substring) -> Int64? {
    if text.last == "Z" {
      text.removeLast()
      return 0
    }
    // A date alone ends in a hyphen and two digits, too.
    guard text.utf8.count > 19, let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return nil }
    let digits = text[sign...].dropFirst().replacing(":", with: "")
    let length = text[sign...].utf8.count
    let isPlain = length == 5 || length == 6 && text[sign...].dropFirst(3).first == ":"
    guard isPlain, let hours = number(digits.prefix(2), 2), let minutes = number(digits.dropFirst(2), 2), hours < 24,
      minutes < 60
    else { return nil }
    let isWest = text[sign] == "-"
    text = text[..<sign]
    return (hours * 60 + minutes) * (isWest ? -60 : 60)
  }

  /// Parses exactly `yyyy-MM-ddTHH:mm:ss`; returns `nil` for every other format.
  private static func parseFixedFormat(_ bytes: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    func two(_ index: Int) -> Int64? {
      let (tens, ones) = (bytes[index] &- 48, bytes[index + 1] &- 48)
      return tens < 10 && ones < 10 ? Int64(tens) * 10 + Int64(ones) : nil
    }
    guard bytes.count == 19, bytes[4] == 45, bytes[7] == 45, bytes[10] == 84, bytes[13] == 58, bytes[16] == 58,
      let century = two(0), let years = two(2), let month = two(5), let day = two(8), let hour = two(11),
      let minute = two(14), let second = two(17), hour < 24, minute < 60, second < 61,
      let date = CivilDate(year: century * 100 + years, month: month, day: day)
    else { return nil }
    return Timestamp(seconds: date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second, isUTC: false)
  }

  package static func < (left: Timestamp, right: Timestamp) -> Bool { left.seconds < right.seconds }

  /// A Boolean value that is true at 00:00:00.
  ///
  /// Servers that store only dates send this time.
  package var isMidnight: Bool { seconds % 86_400 == 0 }

  package var description: String {
    var text: [UInt8] = []
    write(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// The time on the clock of this machine at this time, which is in UTC.
  package var local: Timestamp {
    Timestamp(seconds: seconds + (LocalTimeZone(at: seconds)?.secondsFromGMT ?? 0), isUTC: false)
  }

  /// The description with a space between date and time, for display.
  package var displayDescription: String {
    String(decoding: description.utf8.map { $0 == UInt8(ascii: "T") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
  }

  /// Appends `description` as ASCII bytes to `text`.
  package func write(to text: inout [UInt8]) {
    let (date, clock) = CivilDate.split(seconds: seconds)
    func put(_ mark: Unicode.Scalar, _ part: Int64) {
      text.append(UInt8(ascii: mark))
      text.append(UInt8(48 + part / 10))
      text.append(UInt8(48 + part % 10))
    }
    text.append(contentsOf: Timestamp.pad(date.year, 4).utf8)
    put("-", date.month)
    put("-", date.day)
    put("T", clock / 3600)
    put(":", clock / 60 % 60)
    put(":", clock % 60)
    if isUTC { text.append(UInt8(ascii: "Z")) }
  }

  private static func number(_ text: Substring, _ width: Int) -> Int64? {
    guard text.utf8.count == width, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int64(text)
  }

  private static func pad(_ number: Int64, _ width: Int) -> String {
    let text = String(number)
    if text.utf8.count == width { return text }
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}
