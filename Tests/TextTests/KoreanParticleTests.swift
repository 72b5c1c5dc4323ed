import Testing
import Text

/// The form of a particle after a word.
///
/// Digits and letters count as they are read aloud in Korean.
struct KoreanParticleTests {
  @Test(
    arguments: [
      ("사과", "를"), ("책", "을"), ("물", "을"), ("0", "을"), ("1", "을"), ("2", "를"), ("3", "을"), ("4", "를"), ("5", "를"),
      ("6", "을"), ("7", "을"), ("8", "을"), ("9", "를"), ("10", "을"), ("42", "를"), ("100", "을"), ("1000000000000", "를"),
      ("login", "을"), ("price", "를"), ("help", "를"), ("server", "를"), ("sort", "를"), ("abc", "를"), ("CSV", "를"),
      ("stock", "을"), ("apple", "을"), ("name", "을"), ("shop", "을"), ("JSON", "을"), ("XML", "을"), ("FILE", "을"),
      ("TARGETS: LINE", "을"), ("NAME", "을"), ("TARGETS", "를"), ("set 2x", "를"),
      ("10%", "를"), ("a.png", "를"), ("fr", "을"), ("html", "을"), ("bag", "을"), ("app", "을"), ("type", "을"), ("Mac", "을"),
      ("edit", "을"), ("ㄱ", "을"), ("ㅋ", "을"), ("ㅏ", "를"), ("(책)", "을"), ("“사과”", "를"), ("사\u{1100}\u{116A}", "를"),
      ("", "를"),
    ] as [(String, String)])
  func objectParticleFollowsTheWord(word: String, particle: String) {
    #expect(KoreanParticle.object.form(word) == particle)
  }

  @Test(arguments: [
    (KoreanParticle.subject, "사과", "가"), (.subject, "책", "이"), (.topic, "사과", "는"), (.topic, "책", "은"),
    (.with, "사과", "와"), (.with, "책", "과"), (.toward, "서울", "로"), (.toward, "부산", "으로"), (.toward, "1", "로"),
    (.toward, "3", "으로"), (.topic, "resume r12", "는"), (.topic, "r1", "은"), (.toward, "사과", "로"), (.copula, "사과", ""),
    (.copula, "책", "이"),
  ])
  func otherParticlesFollowTheWord(particle: KoreanParticle, word: String, form: String) {
    #expect(particle.form(word) == form)
  }

  @Test func particleFollowsAnInterpolatedWord() {
    let text: StyledText = "\(42, .object) 지우고 \(.value("책"), .object) 만듭니다"
    #expect(text.plain == "42를 지우고 책을 만듭니다")
  }
}
