import Testing

@testable import LineEditing

struct KeyDecoderTests {
  @Test(
    arguments: [
      ("a가", [.scalar("a"), .scalar("가")]),
      ("\u{1B}[A", [.sequence(Array("\u{1B}[A".utf8))]),
      ("\u{1B}[1;5Cx", [.sequence(Array("\u{1B}[1;5C".utf8)), .scalar("x")]),
      ("\u{1B}f", [.sequence(Array("\u{1B}f".utf8))]),
      ("\u{1B}[200~a\u{1B}[Ab\tc\r\n\u{1B}[201~d", [.paste(Key.Paste(text: "a[Ab c")), .scalar("d")]),
    ] as [(String, [Key])])
  func bytesBecomeKeysHoweverTheyAreCut(text: String, keys: [Key]) {
    let bytes = Array(text.utf8)
    var whole = KeyDecoder()
    #expect(whole.decode(bytes) == keys)
    var single = KeyDecoder()
    #expect(bytes.flatMap { single.decode([$0]) } == keys)
  }

  @Test func anEscapeThatNothingFollowsIsAKey() {
    var decoder = KeyDecoder()
    #expect(decoder.decode([0x1B]) == [])
    #expect(decoder.isInsideEscape)
    #expect(decoder.settle() == [.escape])
    decoder.joinsEscape = false
    #expect(decoder.decode([0x1B, 0x6B]) == [.escape, .scalar("k")])
  }

  /// Any bytes, cut anywhere: never a trap, never a character that was not there, and the decoder goes on after them.
  @Test func anyBytesAreSurvived() {
    var state: UInt64 = 42
    func random(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
    for _ in 0..<2_000 {
      let bytes = (0..<random(40)).map { _ in
        random(3) == 0 ? Array("\u{1B}[20~1;A가".utf8)[Int(random(11))] : UInt8(random(256))
      }
      var decoder = KeyDecoder()
      for byte in bytes { _ = decoder.decode([byte]) }
      _ = decoder.decode("\u{1B}[201~".utf8)
      _ = decoder.settle()
      #expect(decoder.decode("~z".utf8).last == .scalar("z"))
    }
  }
}
