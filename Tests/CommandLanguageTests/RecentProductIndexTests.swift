import Catalog
import CommandLanguage
import TestSupport
import Testing

/// The search for product names that were read in the session.
@Suite struct RecentProductIndexTests {
  @Test func matchesAreNewestFirstWithoutDuplicates() {
    var seen = RecentProductIndex()
    for (id, name) in [(1, "가방"), (12, "Pen"), (2, "pencil case"), (1, "큰 가방"), (120, "연필 Pen")] {
      seen.insert(id, name)
    }
    seen.remove(2)
    #expect(seen.count == 3)
    #expect(seen.matches("", limit: 9).found.map(\.id) == [120, 1, 12])
    #expect(seen.matches("1", limit: 9).found.map(\.id) == [120, 1, 12])
    #expect(seen.matches("12", limit: 9).found.map(\.id) == [120, 12])
    #expect(seen.matches("PEN", limit: 9).found.map(\.name) == ["연필 Pen", "Pen"])
    #expect(seen.matches("가방", limit: 9).found.map(\.name) == ["큰 가방"])
    #expect(seen.matches("\u{1100}\u{1161}방", limit: 9).found.map(\.id) == [1])
    #expect(seen.matches("pen", limit: 1).isCut)
    #expect(!seen.matches("pen", limit: 2).isCut)
    #expect(seen.matches("n연", limit: 2).found.isEmpty, "names do not run into each other")
  }

  @Test func oldestProductsAreForgottenFirst() {
    var seen = RecentProductIndex()
    for id in 1...RecentProductIndex.capacity + 5 { seen.insert(id, "product \(id)") }
    #expect(seen.count == RecentProductIndex.capacity)
    #expect(seen.matches("product 5", limit: 200_000).found.map(\.id).contains(5) == false)
    #expect(seen.matches("product 6", limit: 200_000).found.map(\.id).contains(6))
  }

  /// The results equal those of a linear search, with products added, replaced and forgotten.
  @Test(arguments: 1...UInt64(Trial.count(6, long: 20))) func matchesEqualThoseOfALinearSearch(seed: UInt64) {
    var dice = SplitMix64(seed)
    var seen = RecentProductIndex()
    var plain: [(id: Int, name: String)] = []
    let syllables = ["가", "나", "ab", "B", " ", "a", "🐟", "é"]
    for _ in 0..<3000 {
      let id = Int.random(in: 1...700, using: &dice)
      plain.removeAll { $0.id == id }
      if Int.random(in: 0..<5, using: &dice) == 0 {
        seen.remove(id)
        continue
      }
      let name = (0..<Int.random(in: 0...6, using: &dice)).map { _ in syllables.randomElement(using: &dice)! }.joined()
      seen.insert(id, name)
      plain.append((id, name))
    }
    for text in ["1", "69", "a", "ab", "나가", "bA", "🐟", "é ", "x", "가나🐟a나b", "가🐟éa나", "나나나나aa", "xy"] {
      let wanted = plain.reversed().filter { String($0.id).hasPrefix(text) }.map(\.id)
      let named = plain.reversed().filter { $0.name.lowercased().contains(text.lowercased()) }.map(\.id)
      var expected = wanted + named.filter { !wanted.contains($0) }
      if expected.isEmpty, text.count > 1 {
        expected = plain.reversed().filter { holds($0.name.lowercased(), text.lowercased()) }.map(\.id)
      }
      #expect(seen.matches(text, limit: 5000).found.map(\.id) == expected, "\(text)")
    }
  }
}

/// Returns whether a text contains the letters of another in their order.
private func holds(_ text: String, _ letters: String) -> Bool {
  var rest = text.unicodeScalars[...]
  for letter in letters.unicodeScalars {
    guard let place = rest.firstIndex(of: letter) else { return false }
    rest = rest[rest.index(after: place)...]
  }
  return true
}
