import TerminalTesting
import TestSupport
import Testing

@testable import LineEditing

/// The pair of brackets that is marked at the cursor.
@Suite struct BracketsTests {
  @Test(
    arguments: [
      ("f(a)", 1, [1, 3]), ("f(a)", 3, [3, 1]), ("f(a)", 4, [3, 1]), ("f(a)", 0, []), ("f(a)", 2, []),
      ("((a)[b{c}])", 0, [0, 10]), ("((a)[b{c}])", 4, [4, 9]), ("((a)[b{c}])", 6, [6, 8]), ("(a", 0, []), ("a)", 1, []),
      // At an opening bracket, the one before the cursor doesn't count.
      ("a)(b)", 2, [2, 4]), ("(a))", 4, []),
      // Brackets in quotes are text.
      ("(')')", 0, [0, 4]), ("'('", 1, []), ("(\"\\\")\")", 0, [0, 6]), ("('\\')", 0, [0, 4]), ("(가)", 0, [0, 2]),
    ] as [(String, Int, [Int])])
  func matchingBracketsAreFound(_ text: String, _ cursor: Int, _ places: [Int]) {
    #expect(Brackets(text).pair(at: cursor) == places)
  }
}
