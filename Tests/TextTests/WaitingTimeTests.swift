import Testing
import Text

/// A time to wait, in the unit in which it is readable.
struct WaitingTimeTests {
  @Test(arguments: [
    (0, "0 s", "0초"), (119, "119 s", "119초"), (120, "2 min", "2분"), (121, "3 min", "3분"), (7_199, "120 min", "120분"),
    (7_200, "2 h", "2시간"), (86_400, "24 h", "24시간"), (Int.max, "2562047788015216 h", "2562047788015216시간"),
  ])
  func timeIsRoundedUp(_ seconds: Int, _ english: String, _ korean: String) {
    let advice = WaitingTime.tryAgain(after: seconds)
    #expect(advice.english.plain == "Try again in \(english).")
    #expect(advice.korean.plain == "\(korean) 뒤에 다시 시도하세요.")
  }
}
