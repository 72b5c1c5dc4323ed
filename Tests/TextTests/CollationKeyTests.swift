import Testing
import Text

@Suite struct CollationKeyTests {
  /// Each row is in its expected order and is sorted from any other one.
  @Test(arguments: [
    ["가위 2", "가위 10", "가위 10개", "가위 11"],
    ["가나", "가방", "나무", "다리", "하늘"],
    ["나라", "㈜나무", "나무늘보", "(주)나비", "주식회사 나사", "다리"],
    ["1구 멀티탭", "02구 멀티탭", "10구 멀티탭", "멀티탭", "Apple", "banana", "Cherry", "東京"],
    ["A4 용지", "Ａ5 용지", "a10 용지"],
    ["가 방", "가방"],
    ["", " ", "-", "0", "가"],
    ["2022년", "10000000000000000000000년"],
  ])
  func keysHaveTheExpectedOrder(_ names: [String]) {
    for turn in names.indices {
      let turned = Array(names[turn...] + names[..<turn])
      #expect(turned.sorted { CollationKey($0) < CollationKey($1) } == names)
      #expect(turned.reversed().sorted { CollationKey($0) < CollationKey($1) } == names)
    }
  }

  @Test func companyMarksAreIgnored() {
    let names = ["㈜가람", "가람 ㈜", "가람", "주식회사 가람", "가람(주)"]
    #expect(names.sorted { CollationKey($0) < CollationKey($1) } == names.sorted())
    #expect(CollationKey("㈜가람") < CollationKey("가람나무"))
  }

  /// The composed and the decomposed form of a syllable are equal.
  @Test func composedAndDecomposedTextAreEqual() {
    let jamo = "\u{1100}\u{1161}"
    #expect(CollationKey("가") == CollationKey(jamo))
  }
}
