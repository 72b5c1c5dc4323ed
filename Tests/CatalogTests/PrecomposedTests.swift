import Catalog
import Testing

@Suite struct PrecomposedTests {
  @Test(arguments: [
    ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"), ("\u{D558}\u{11AB}", "\u{D55C}"), ("e\u{301}", "\u{E9}"), ("가", "가"),
    ("\u{D55C}\u{11AB}", "\u{D55C}\u{11AB}"), ("abc", "abc"),
  ]) func joinsWhatBelongsTogether(_ loose: String, _ joined: String) {
    // Swift's == would call both the same.
    #expect(Array(loose.precomposed.utf8) == Array(joined.utf8))
  }
}
