import Glibc
import Text

/// The products seen in a session, searchable by the beginning of their number or by any part of their name, newest
/// first.
///
/// All names are stored in one contiguous text, so that searching 100,000 of them is fast enough for Tab. A product
/// that is seen again or deleted leaves a gap; gaps are removed together once there are many.
package struct RecentProductIndex: Hashable, Sendable {
  /// A product that was found.
  package struct Match: Hashable, Sendable {
    package var id: Int
    package var name: String

    package init(id: Int, name: String) {
      self.id = id
      self.name = name
    }
  }

  struct Entry: Hashable, Sendable {
    var id: Int
    var name: Range<Int>
    var folded: Range<Int>
    /// A Boolean value that is false if the product was seen again later, or deleted.
    var isLive = true
  }

  /// The maximum number of products.
  ///
  /// The oldest are removed first.
  package static let capacity = 100_000
  /// The maximum length of a stored name.
  ///
  /// Names serve only to choose a product.
  private static let maxNameLength = 200

  private(set) var entries: [Entry] = []
  private(set) var names: [UInt8] = []
  /// The names in lowercase and in composed form, each followed by a zero byte.
  private(set) var folded: [UInt8] = []
  private var indices: [Int: Int] = [:]
  private var oldest = 0

  package init() {}

  package var count: Int { indices.count }

  /// Adds a product as the newest one.
  package mutating func insert(_ id: Int, _ name: String) {
    remove(id)
    let name = name.utf8.count > Self.maxNameLength ? String(name.prefix(Self.maxNameLength)) : name
    let start = (names.count, folded.count)
    names += name.utf8
    folded += Self.folded(name).utf8
    indices[id] = entries.count
    entries.append(Entry(id: id, name: start.0..<names.count, folded: start.1..<folded.count))
    folded.append(0)
    if indices.count > Self.capacity { dropOldest() }
    if entries.count > max(1024, 2 * indices.count) { compact() }
  }

  /// Removes a deleted product.
  package mutating func remove(_ id: Int) {
    guard let index = indices.removeValue(forKey: id) else { return }
    entries[index].isLive = false
  }

  func found(_ entry: Entry) -> Match {
    Match(id: entry.id, name: String(decoding: names[entry.name], as: UTF8.self))
  }

  static func folded(_ text: String) -> String {
    let text = text.nfcNormalized.lowercased()
    return text.utf8.contains(0) ? text.replacing("\0", with: " ") : text
  }

  private mutating func dropOldest() {
    while !entries[oldest].isLive { oldest += 1 }
    remove(entries[oldest].id)
  }

  private mutating func compact() {
    var copy = RecentProductIndex()
    for entry in entries where entry.isLive {
      let start = (copy.names.count, copy.folded.count)
      copy.names += names[entry.name]
      copy.folded += folded[entry.folded]
      copy.indices[entry.id] = copy.entries.count
      copy.entries.append(
        Entry(id: entry.id, name: start.0..<copy.names.count, folded: start.1..<copy.folded.count))
      copy.folded.append(0)
    }
    self = copy
  }
}

extension RecentProductIndex {
  /// Returns the products whose number begins with the text, then those whose name contains it.
  ///
  /// If there are none, returns those whose name contains its characters in order. `isTruncated` indicates that there are
  /// more.
  package func matches(_ text: String, limit: Int) -> (found: [Match], isCut: Bool) {
    var indices = matchesByID(text, upTo: limit + 1)
    if !text.isEmpty, indices.count <= limit {
      let known = Set(indices)
      indices += matchesByName(text, upTo: limit + 1).filter { !known.contains($0) }
      if indices.isEmpty { indices = matchesBySubsequence(text, upTo: limit + 1) }
    }
    return (indices.prefix(limit).map { found(entries[$0]) }, indices.count > limit)
  }

  /// Returns those of the given products whose number begins with the text or whose name contains it, newest first.
  package func matches(_ text: String, limit: Int, of ids: Set<Int>) -> [Match] {
    let chosen = ids.compactMap { indices[$0] }.sorted(by: >)
    let needle = Array(Self.folded(text).utf8)
    var result: [Match] = []
    for index in chosen where result.count < limit {
      let entry = entries[index]
      let isNamed = folded.withUnsafeBytes { Self.contains(needle, $0[entry.folded]) }
      if String(entry.id).hasPrefix(text) || isNamed { result.append(found(entry)) }
    }
    return result
  }

  /// Returns the products whose name contains the text, newest first, and whether there are more.
  package func matches(named text: String, limit: Int) -> (found: [Match], isCut: Bool) {
    let indices = matchesByName(text, upTo: limit + 1)
    return (indices.prefix(limit).map { found(entries[$0]) }, indices.count > limit)
  }

  /// Returns the distinct names that contain the text, and whether there are more.
  package func names(containing text: String, limit: Int) -> (names: [String], isCut: Bool) {
    let indices = text.isEmpty ? matchesByID("", upTo: limit + 1) : matchesByName(text, upTo: limit + 1)
    var seen = Set<String>()
    let names = indices.prefix(limit).map { found(entries[$0]).name }.filter { !$0.isEmpty && seen.insert($0).inserted }
    return (names, indices.count > limit)
  }

  private func matchesByID(_ text: String, upTo limit: Int) -> [Int] {
    guard text.isEmpty || isNumber(text) else { return [] }
    let prefix = Int(text) ?? 0
    var power = 1
    for _ in text.utf8 { power *= 10 }
    var indices: [Int] = []
    for index in entries.indices.reversed() where entries[index].isLive {
      var id = entries[index].id
      while id >= power, power > 1 { id /= 10 }
      guard power == 1 || id == prefix else { continue }
      indices.append(index)
      if indices.count == limit { break }
    }
    return indices
  }

  /// Returns whether the text can be a product number: positive, with at most 15 digits.
  private func isNumber(_ text: String) -> Bool {
    text.utf8.count <= 15 && text.utf8.first != UInt8(ascii: "0") && text.utf8.allSatisfy { (48...57).contains($0) }
  }

  private func matchesByName(_ text: String, upTo limit: Int) -> [Int] {
    let needle = Array(Self.folded(text).utf8)
    var indices: [Int] = []
    var end = entries.count
    // Blocks are searched from the newest to the oldest. Most don't contain the name and are skipped at once.
    while end > 0, indices.count < limit {
      let start = max(0, end - 512)
      indices += block(start..<end, needle).prefix(limit - indices.count)
      end = start
    }
    return indices
  }

  /// Returns the products whose name contains the characters of the text in order, newest first.
  private func matchesBySubsequence(_ text: String, upTo limit: Int) -> [Int] {
    let wanted = Self.folded(text)
    guard wanted.unicodeScalars.count > 1 else { return [] }
    let letters = Array(wanted.utf8)
    var indices: [Int] = []
    folded.withUnsafeBufferPointer { bytes in
      for index in entries.indices.reversed() where entries[index].isLive {
        guard Self.containsSubsequence(letters, in: bytes[entries[index].folded]) else { continue }
        indices.append(index)
        if indices.count == limit { break }
      }
    }
    return indices
  }

  /// Returns the products of a block whose name contains the needle, newest first.
  private func block(_ range: Range<Int>, _ needle: [UInt8]) -> [Int] {
    let text = entries[range.lowerBound].folded.lowerBound..<entries[range.upperBound - 1].folded.upperBound
    return folded.withUnsafeBytes { bytes in
      guard Self.contains(needle, bytes[text]) else { return [] }
      return range.reversed().filter { entries[$0].isLive && Self.contains(needle, bytes[entries[$0].folded]) }
    }
  }

  private static func contains(_ needle: [UInt8], _ text: Slice<UnsafeRawBufferPointer>) -> Bool {
    ByteSearch.offset(of: needle, in: UnsafeRawBufferPointer(rebasing: text)) != nil
  }

  /// Returns whether the text contains these characters in order; both are UTF-8.
  ///
  /// Characters are compared completely: the bytes of one never occur inside another.
  private static func containsSubsequence(_ letters: [UInt8], in text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    letters.withUnsafeBufferPointer { letters in
      let bytes = text.base
      var (index, met) = (text.startIndex, 0)
      while met < letters.count, index < text.endIndex {
        let width = max(1, (~letters[met]).leadingZeroBitCount)
        if bytes[index] == letters[met], index + width <= text.endIndex,
          (1..<width).allSatisfy({ bytes[index + $0] == letters[met + $0] })
        {
          index += width
          met += width
        } else {
          index += 1
        }
      }
      return met == letters.count
    }
  }
}
