import Glibc

/// Collects the entries of a file with their exit statuses.
struct HistoryReader {
  private(set) var entries: [(text: String, record: HistoryRecord)] = []
  /// The number of invalid lines.
  private(set) var skipped = 0
  /// The entry of each time; built only when an exit status does not belong to the entry before it.
  private var places: [Int64: Int]?

  mutating func take(_ line: UnsafeBufferPointer<UInt8>) {
    if line.count > 2, line[0] == 0x5C, line[1] == 0x21, let (status, time) = HistoryFile.outcome(in: line[2...]) {
      if let place = place(of: time) { entries[place].record.status = status }
    } else if let entry = HistoryFile.entry(in: line) {
      if let time = entry.record.time { places?[time] = entries.count }
      entries.append(entry)
    } else {
      skipped += 1
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
