import Catalog
import TestSupport
import Testing

@testable import MarketAPI

/// The positions of a list that are not covered after ranges of it were read.
@Suite struct IDCoverageTests {
  struct Stretch: Sendable {
    var ids: [Int]
    var offset: Int
    var isLast = false
  }

  static let cases: [([Stretch], [Int])] = [
    // Nothing was read: the list is uncovered from the first position.
    ([], [0]),
    // An empty list, and an empty page that proves nothing.
    ([Stretch(ids: [], offset: 0, isLast: true)], []), ([Stretch(ids: [], offset: 100, isLast: true)], [0]),
    // The complete list on one page.
    ([Stretch(ids: [9, 4, 2], offset: 0, isLast: true)], []),
    // The end is unknown.
    ([Stretch(ids: [9, 4, 2], offset: 0)], [3]),
    // Two pages that share a row, that have no id between them, and that have some.
    ([Stretch(ids: [9, 8], offset: 0), Stretch(ids: [8, 3], offset: 1, isLast: true)], []),
    ([Stretch(ids: [9, 8], offset: 0), Stretch(ids: [7, 3], offset: 2, isLast: true)], []),
    ([Stretch(ids: [9, 8], offset: 0), Stretch(ids: [6, 3], offset: 2, isLast: true)], [2]),
    // The first page is missing.
    ([Stretch(ids: [6, 3], offset: 2, isLast: true)], [0]),
    // A later page over the gap closes it.
    (
      [
        Stretch(ids: [9, 8], offset: 0), Stretch(ids: [6, 3], offset: 2, isLast: true),
        Stretch(ids: [8, 6], offset: 1),
      ], []
    ),
    // A page that reaches only into the gap leaves the rest, at the position that was read last.
    (
      [
        Stretch(ids: [20, 18], offset: 0), Stretch(ids: [9, 3], offset: 2, isLast: true),
        Stretch(ids: [18, 15], offset: 4),
      ], [6]
    ),
    // A page within the covered range changes nothing.
    ([Stretch(ids: [9, 3], offset: 0), Stretch(ids: [5], offset: 40)], [2]),
  ]

  @Test(arguments: cases) func gapsAreBetweenReadRanges(_ stretches: [Stretch], _ expected: [Int]) {
    var coverage = IDCoverage()
    for stretch in stretches { coverage.add(stretch.ids, offset: stretch.offset, isLast: stretch.isLast) }
    #expect(coverage.uncoveredPositions() == expected)
    #expect(coverage.uncoveredPositions() == expected, "asking changes nothing")
  }

  /// Compared with a simple model: an id is covered if a range includes it.
  @Test func coveredIDsEqualThoseOfTheModel() {
    var random = SplitMix64(Trial.seed)
    for round in 0..<Trial.count(300, long: 20_000) {
      let list = Set((0..<30).map { _ in Int.random(in: 1...60, using: &random) }).sorted(by: >)
      var coverage = IDCoverage()
      var seen = Set<Int>()
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        let start = Int.random(in: 0..<list.count, using: &random)
        let end = Int.random(in: start..<list.count, using: &random)
        coverage.add(Array(list[start...end]), offset: start, isLast: end == list.count - 1)
        seen.formUnion(start == 0 ? list[end]...61 : list[end]...list[start])
        if end == list.count - 1 { seen.formUnion(0...list[end]) }
      }
      let isWhole = seen.isSuperset(of: 0...61)
      #expect(coverage.uncoveredPositions().isEmpty == isWhole, "seed \(Trial.seed), round \(round)")
    }
  }

  @Test func idsAreCountedOnce() {
    var ids = SparseBitSet()
    let numbers = [0, 1, 63, 64, 65, -1, -64, .max, .min, 1 << 40]
    #expect(numbers.map { ids.insert($0) } == numbers.map { _ in true })
    #expect(numbers.map { ids.insert($0) } == numbers.map { _ in false })
    #expect(ids.count == numbers.count)
  }
}
