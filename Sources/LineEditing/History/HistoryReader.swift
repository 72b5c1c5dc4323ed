import Glibc

/// Collects the entries of a file with their exit statuses.
struct HistoryReader {
  private(set) var entries: [(text: String, record: HistoryRecord)] = []
  /// The lines that are not entries, each with the number of entries before it.
  private(set) var skipped: [(place: Int, line: [UInt8])] = []
  /// The entry of each time; built only when an exit status does not belong to the entry before it.
  private var places: [Int64: Int]?

  /// Takes a line of the file.
  ///
  /// After a loss of power, a file may have zeros where its last blocks were not written. What is before and behind
  /// them is taken as lines of its own.
  mutating func take(_ line: UnsafeBufferPointer<UInt8>) {
    guard let base = line.baseAddress, memchr(base, 0, line.count) != nil else { return takeWithoutZeros(line) }
    for part in line.split(separator: 0) { takeWithoutZeros(UnsafeBufferPointer(rebasing: part)) }
  }

  private mutating func takeWithoutZeros(_ line: UnsafeBufferPointer<UInt8>) {
    if line.count > 2, line[0] == 0x5C, line[1] == 0x21, let (status, time) = HistoryFile.outcome(in: line[2...]) {
      if let place = place(of: time) { entries[place].record.status = status }
    } else if let entry = HistoryFile.entry(in: line) {
      if let time = entry.record.time { places?[time] = entries.count }
      entries.append(entry)
    } else {
      skipped.append((entries.count, Array(line)))
    }
  }

  private mutating func place(of time: Int64) -> Int? {
    if entries.last?.record.time == time { return entries.count - 1 }
    let known =
      places
      ?? Dictionary(
        entries.indices.compactMap { place in entries[place].record.time.map { ($0, place) } }, uniquingKeysWith: { $1 }
      )
    places = known
    return known[time]
  }
}
