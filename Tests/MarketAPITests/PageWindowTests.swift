import Catalog
import Testing

@testable import MarketAPI

/// The choice of a page around a position, and the search for the last page of a list without a count.
@Suite struct PageWindowTests {
  @Test(arguments: [
    (0, 50...150, PageWindow(number: 1, size: 50)), (25, 50...150, PageWindow(number: 1, size: 50)),
    (40, 50...150, PageWindow(number: 1, size: 80)), (100, 50...150, PageWindow(number: 2, size: 67)),
    (7, 3...3, PageWindow(number: 3, size: 3)), (1_000_000, 100...100, PageWindow(number: 10_001, size: 100)),
  ])
  func windowIsCenteredOnThePosition(_ position: Int, _ sizes: ClosedRange<Int>, _ expected: PageWindow) {
    #expect(PageWindow.centered(position, sizes: sizes) == expected)
  }

  /// Every position is inside its window and not near an edge, where rows could move to another page, except for the
  /// top of the list.
  @Test(arguments: 0..<5) func everyPositionIsInsideItsWindow(_ round: Int) {
    let sizes = PageWindow.sizes(inRound: round)
    let near = (0..<5_000).filter { position in
      let window = PageWindow.centered(position, sizes: sizes)
      let above = position - window.rowOffset(rows: nil)
      let below = window.size - 1 - above
      return !sizes.contains(window.size) || above < 0
        || min(window.number == 1 ? .max : above, below) < sizes.lowerBound / 8
    }
    #expect(near == [])
  }

  @Test func serverPageSizeChangesTheOffset() {
    let window = PageWindow(number: 3, size: 50)
    #expect(window.rowOffset(rows: nil) == 100 && window.rowOffset(rows: 20) == 40)
  }

  @Test func laterWindowsAreWider() {
    let rounds = (0..<4).map { PageWindow.sizes(inRound: $0) }
    for (one, next) in zip(rounds, rounds.dropFirst()) {
      #expect(next.lowerBound >= one.upperBound && next.upperBound <= DocumentedLimits.pageSize.upperBound)
    }
    #expect(PageWindow.sizes(inRound: 99) == rounds[3])
  }

  /// It is found in about twice as many pages as its number has binary digits.
  @Test(arguments: [0, 1, 2, 3, 4, 5, 7, 8, 9, 100, 1023, 1024, 1025, 99_999])
  func lastPageIsFoundInLogarithmicSteps(_ last: Int) async throws {
    for start in Set([0, min(last, 1), last / 2, last]) {
      var asked: [Int] = []
      let found = try await LastPage.find(after: start) { page in
        asked.append(page)
        return page > last
      }
      #expect(found == last, "from \(start)")
      #expect(Set(asked).count == asked.count, "a page was read twice: \(asked)")
      #expect(asked.count <= 2 * (Int.bitWidth - last.leadingZeroBitCount) + 2, "\(asked)")
      #expect(!asked.contains { $0 <= start })
    }
  }

  @Test func searchInAnEndlessListEnds() async {
    var asked = 0
    let error = await #expect(throws: LastPageNotFoundError.self) {
      _ = try await LastPage.find(after: 0) { _ in
        asked += 1
        return false
      }
    }
    #expect((error?.page ?? 0) >= PageLimit.maxPlausiblePages && asked < 20)
  }

  @Test func readErrorIsThrown() async {
    struct Torn: Error {}
    await #expect(throws: Torn.self) { _ = try await LastPage.find(after: 0) { _ in throw Torn() } }
  }
}
