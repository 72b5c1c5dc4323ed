/// A time to wait in a message: `40 s`, `5 min`, `24 h`.
///
/// It is rounded up to a unit of which there are at least two, so that who waits that long has waited long enough.
package enum WaitingTime {
  /// Returns the advice to try again after these seconds.
  package static func tryAgain(after seconds: Int) -> LocalizedText {
    switch seconds {
    case ..<120: LocalizedText("Try again in \(seconds) s.", ko: "\(seconds)초 뒤에 다시 시도하세요.")
    case ..<7_200:
      LocalizedText("Try again in \(ceiling(seconds, 60)) min.", ko: "\(ceiling(seconds, 60))분 뒤에 다시 시도하세요.")
    default:
      LocalizedText("Try again in \(ceiling(seconds, 3_600)) h.", ko: "\(ceiling(seconds, 3_600))시간 뒤에 다시 시도하세요.")
    }
  }

  private static func ceiling(_ seconds: Int, _ unit: Int) -> Int { seconds / unit + (seconds % unit > 0 ? 1 : 0) }
}
