import Testing
import Text

@Suite struct POSIXWordTests {
  @Test(
    arguments: [
      ("vi", ["vi"]), ("code --wait", ["code", "--wait"]), (" 'my editor'  -x\"a b\" ", ["my editor", "-xa b"]),
      (#"a\ b "c\"d" ''"#, ["a b", "c\"d", ""]), ("a 'b", nil), ("a;b $(c) `d`", ["a;b", "$(c)", "`d`"]),
      (#"$'it\'s' "a\b" $"c" \$d"#, ["it's", #"a\b"#, "c", "$d"]),
    ] as [(String, [String]?)])
  func lineIsSplitWithoutExpansions(text: String, words: [String]?) {
    #expect(POSIXWords(line: text).complete == words)
  }
}
