import TestSupport
import Testing

/// The output of a failing transcript: only the lines that differ.
@Suite struct LineDiffTests {
  @Test(arguments: [
    ("", ""), ("a\n", "a\n"), ("a\nb", "a\nb"),
  ]) func equalTextsHaveNoDifference(_ old: String, _ new: String) { #expect(LineDiff(from: old, to: new).text == nil) }

  @Test(arguments: [
    ("a\nb\nc\n", "a\nB\nc\n", "@@ line 1, now 1 @@\n a\n-b\n+B\n c"),
    ("a\n", "", "@@ line 1, now 1 @@\n-a"), ("", "a\n", "@@ line 1, now 1 @@\n+a"),
    ("a\n", "a", "@@ line 1, now 1 @@\n-a\n+a⏎ missing"),
    // Swift treats a composed and a decomposed syllable as equal.
    ("\u{AC00}\n", "\u{1100}\u{1161}\n", "@@ line 1, now 1 @@\n-\u{AC00}\n+\u{1100}\u{1161}"),
    ("a\r\n", "a\n", "@@ line 1, now 1 @@\n-a\\u{D}\n+a"),
    ("x\u{1B}[0m\n", "x\n", "@@ line 1, now 1 @@\n-x\\u{1B}[0m\n+x"),
    (
      "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
      "@@ line 2, now 2 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8"
    ),
  ]) func differingLinesAreShown(_ old: String, _ new: String, _ expected: String) {
    #expect(LineDiff(from: old, to: new).text?.utf8.elementsEqual(expected.utf8) == true)
  }

  @Test func distantDifferencesAreSeparated() {
    let old = (1...40).map { "\($0)\n" }.joined()
    let new = old.replacing("\n3\n", with: "\n").replacing("\n33\n", with: "\n33\n33b\n")
    #expect(
      LineDiff(from: old, to: new).text == """
        @@ line 1, now 1 @@
         1
         2
        -3
         4
         5
         6
        @@ line 31, now 30 @@
         31
         32
         33
        +33b
         34
         35
         36
        """)
  }

  @Test func manyDifferencesAreTruncated() throws {
    let text = try #require(LineDiff(from: "", to: (1...500).map { "\($0)\n" }.joined()).text)
    #expect(text.hasSuffix("+119\n… and 381 lines more"))
  }
}
