import TestSupport
import Testing

@testable import EmbeddedMarket

/// The key of the teacher's page.
@Suite struct TeacherKeyTests {
  @Test func keyMatchesOnlyItself() {
    var random = SplitMix64(1)
    let key = TeacherKey(using: &random)
    #expect(key.matches(key.text))
    for other in [nil, "", String(key.text.dropLast()), key.text + "0", key.text.uppercased()] {
      #expect(!key.matches(other), "\(other ?? "no key")")
    }
  }
}
