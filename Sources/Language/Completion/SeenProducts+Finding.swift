import Catalog

extension SeenProducts {
  /// Products whose number begins with the text, then those with the text in their name; and whether there are more.
  package func matches(_ text: String, limit: Int) -> (found: [Found], isCut: Bool) {
    var places = numbered(text, upTo: limit + 1)
    if !text.isEmpty, places.count <= limit {
      let known = Set(places)
      places += named(text, upTo: limit + 1).filter { !known.contains($0) }
    }
    return (places.prefix(limit).map { found(entries[$0]) }, places.count > limit)
  }

  /// Names with the text in them, each once; and whether there are more.
  package func names(containing text: String, limit: Int) -> (names: [String], isCut: Bool) {
    let places = text.isEmpty ? numbered("", upTo: limit + 1) : named(text, upTo: limit + 1)
    var seen = Set<String>()
    let names = places.prefix(limit).map { found(entries[$0]).name }.filter { !$0.isEmpty && seen.insert($0).inserted }
    return (names, places.count > limit)
  }

  private func numbered(_ text: String, upTo limit: Int) -> [Int] {
    guard text.isEmpty || isNumber(text) else { return [] }
    let prefix = Int(text) ?? 0
    var power = 1
    for _ in text.utf8 { power *= 10 }
    var places: [Int] = []
    for place in entries.indices.reversed() where entries[place].isLive {
      var id = entries[place].id
      while id >= power, power > 1 { id /= 10 }
      guard power == 1 || id == prefix else { continue }
      places.append(place)
      if places.count == limit { break }
    }
    return places
  }

  /// Products are numbered from 1, by at most 15 digits.
  private func isNumber(_ text: String) -> Bool {
    text.utf8.count <= 15 && text.utf8.first != UInt8(ascii: "0") && text.utf8.allSatisfy { (48...57).contains($0) }
  }

  private func named(_ text: String, upTo limit: Int) -> [Int] {
    let needle = Array(Self.folded(text).utf8)
    var places: [Int] = []
    var end = entries.count
    // From the newest on, in blocks: most have no such name in them and are passed over in one go.
    while end > 0, places.count < limit {
      let start = max(0, end - 512)
      places += block(start..<end, needle).prefix(limit - places.count)
      end = start
    }
    return places
  }

  /// Those of a block with the needle in their name, newest first.
  private func block(_ range: Range<Int>, _ needle: [UInt8]) -> [Int] {
    let text = entries[range.lowerBound].folded.lowerBound..<entries[range.upperBound - 1].folded.upperBound
    return folded.withUnsafeBufferPointer { bytes in
      guard ByteSearch.first(needle, in: bytes[text]) != nil else { return [] }
      return range.reversed().filter { place in
        entries[place].isLive && ByteSearch.first(needle, in: bytes[entries[place].folded]) != nil
      }
    }
  }
}
