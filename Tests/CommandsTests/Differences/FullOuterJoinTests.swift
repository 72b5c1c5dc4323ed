import Testing

@testable import Commands

struct FullOuterJoinTests {
  private func joined(_ first: [(String, Int)], _ second: [(String, Int)]) -> [String] {
    fullOuterJoin(first, second).map { "\($0) \($1 ?? 0) \($2 ?? 0)" }
  }

  @Test func keysOfTheFirstListComeFirst() {
    #expect(joined([("b", 1), ("a", 2)], [("c", 3), ("a", 4)]) == ["b 1 0", "a 2 4", "c 0 3"])
    #expect(joined([], []).isEmpty)
  }

  @Test func repeatedKeyHasItsLastValue() {
    #expect(joined([("a", 1), ("b", 2), ("a", 3)], [("b", 4), ("b", 5)]) == ["a 3 0", "b 2 5"])
  }
}
