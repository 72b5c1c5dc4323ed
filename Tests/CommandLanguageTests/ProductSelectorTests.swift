import Catalog
import CommandLanguage
import Testing

/// The targets of commands: ids, ranges, rows and conditions.
@Suite struct ProductSelectorTests {
  @Test(arguments: [
    ("42", ProductSelector.ids([42...42])), ("42,43", .ids([42...42, 43...43])), ("40-45", .ids([40...45])),
    ("1-3,7,9-9", .ids([1...3, 7...7, 9...9])), ("@3", .rows([3...3])), ("@1-5", .rows([1...5])),
    ("@1,@3", .rows([1...1, 3...3])), ("@all", .allRows), ("_", .last), ("mine", .mine),
    ("1-10000", .ids([1...10_000])),
  ])
  func selectorIsRead(text: String, expected: ProductSelector) throws {
    #expect(try ProductSelector.read(text) == expected)
  }

  @Test(arguments: [
    "", "0", "-1", "1-", "-", "1--2", "1-2-3", "@", "@0", "all", "1,", ",1", "5-1", "1-10001", "1-5000,1-5001", "٣",
    "4 2",
    "99999999999999999999", "@all,3", "1.5", "+1",
  ])
  func malformedSelectorIsRefused(text: String) {
    #expect(throws: ParseError.self) { try ProductSelector.read(text) }
  }

  @Test func conditionIsASelector() throws {
    #expect(try ProductSelector.read("where stock=0") == .matching(try Condition.read("stock=0")))
  }
}
