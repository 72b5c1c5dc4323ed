import Text

/// A message to the user: what happened, the reasons, and the next steps.
///
/// Each method returns a new value.
///
///     throw Message.failure("Product \(42) was not deleted.", ko: "상품 \(42, .object) 삭제하지 못했습니다.")
///       .because("The secret does not match.", ko: "시크릿이 맞지 않습니다.")
///       .next("\(.command("login")) sets it.", ko: "\(.command("login"))으로 설정합니다.")
package struct Message: Error, Hashable, Sendable {
  /// The severity, which determines the mark and the color.
  package enum Severity: Hashable, Sendable { case note, success, warning, failure }

  package var tone: Severity
  package var what: LocalizedText
  package var reasons: [LocalizedText] = []
  package var nextSteps: [LocalizedText] = []
  /// The code for programs, or `nil` for that of the severity.
  package var code: MessageCode?
  /// The exit status that the message explains, or `nil`.
  package var exitStatus: Int32?
  /// The part of a line that the message is about.
  package var excerpt: Excerpt?

  package init(_ tone: Severity, _ what: LocalizedText) {
    self.tone = tone
    self.what = what
  }

  /// Returns a note: information without a problem or an action.
  package static func note(_ english: StyledText, ko korean: StyledText) -> Message {
    Message(.note, LocalizedText(english, ko: korean))
  }

  /// Returns a message about an action that was done.
  package static func success(_ english: StyledText, ko korean: StyledText) -> Message {
    Message(.success, LocalizedText(english, ko: korean))
  }

  /// Returns a warning about an action that may not be what the user intends.
  package static func warning(_ english: StyledText, ko korean: StyledText) -> Message {
    Message(.warning, LocalizedText(english, ko: korean))
  }

  /// Returns a message about an action that was not done.
  package static func failure(_ english: StyledText, ko korean: StyledText) -> Message {
    Message(.failure, LocalizedText(english, ko: korean))
  }

  /// Adds a reason.
  ///
  /// Several reasons are shown in order.
  package func because(_ english: StyledText, ko korean: StyledText) -> Message {
    because(LocalizedText(english, ko: korean))
  }

  package func because(_ reason: LocalizedText) -> Message {
    var copy = self
    copy.reasons.append(reason)
    return copy
  }

  /// Adds the reasons of the first elements, and one that counts the others.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of elements to list.
  ///   - elements: The elements.
  ///   - counter: The Korean counter of the elements.
  ///   - reason: A closure that returns the reason of an element.
  package func because<Elements: Collection>(
    first limit: Int, of elements: Elements, counter: String = "개", reason: (Elements.Element) -> LocalizedText
  ) -> Message {
    var copy = self
    copy.reasons += elements.prefix(limit).map(reason)
    if let rest = LocalizedText.rest(of: elements.count, after: limit, counter: counter) { copy.reasons.append(rest) }
    return copy
  }

  /// Sets the code for programs.
  package func coded(_ code: MessageCode) -> Message {
    var copy = self
    copy.code = code
    return copy
  }

  /// Adds a next step.
  package func next(_ english: StyledText, ko korean: StyledText) -> Message {
    next(LocalizedText(english, ko: korean))
  }

  package func next(_ step: LocalizedText) -> Message {
    var copy = self
    copy.nextSteps.append(step)
    return copy
  }
}

extension LocalizedText {
  /// Returns the end of a list of which only the first elements are shown, such as "and 3 more", or `nil` if all are.
  package static func rest(of count: Int, after limit: Int, counter: String = "개") -> LocalizedText? {
    let rest = count - limit
    return rest > 0 ? LocalizedText("and \(rest) more", ko: "그 밖에 \(rest)\(counter)") : nil
  }
}

/// The form of messages on standard error, chosen with `--errors`.
package enum MessageFormat: String, Hashable, Sendable, CaseIterable {
  /// Sentences for people.
  case text
  /// One JSON object a line for programs.
  case json
}

/// The stable code of a message for programs, as `--errors json` prints it.
///
/// The Language article lists them; a code is never renamed and never gets another meaning. Texts may change.
package enum MessageCode: String, Hashable, Sendable, CaseIterable {
  // Messages that are no error.
  case note
  case success
  case warning
  /// Text that is shown beside messages, such as the preview of a change.
  case text

  // Exit status 1.
  /// The server refused the request.
  case refused
  case notFound = "not-found"
  case rateLimited = "rate-limited"
  /// The response isn't one of this API.
  case unreadableResponse = "unreadable-response"
  /// The list of products could not be read completely.
  case incompleteList = "incomplete-list"
  /// A result doesn't fit the limit of bytes.
  case tooLarge = "too-large"
  /// No state of the market is stored yet.
  case noSnapshot = "no-snapshot"
  case nothingToUndo = "nothing-to-undo"
  case cannotUndo = "cannot-undo"
  /// An error without a code of its own.
  case unexpected

  // Exit status 2.
  /// The line or an option could not be understood.
  case badLine = "bad-line"
  /// The arguments of a tool don't match its parameters.
  case badArguments = "bad-arguments"
  /// A file that the line names can't be used.
  case badFile = "bad-file"
  case badPicture = "bad-picture"
  case badPlan = "bad-plan"
  /// The edition of the API doesn't have the operation.
  case unsupported

  // Exit status 3.
  case unreachable

  // Exit status 4.
  /// A check of this program held the command back.
  case blocked
  case notConfirmed = "not-confirmed"
  case canceled
  case readOnly = "read-only"
  case notLoggedIn = "not-logged-in"
  case notOwner = "not-owner"
  case vendorUnknown = "vendor-unknown"
  case outlier
  case plainHTTP = "plain-http"
  case fileExists = "file-exists"
  case journalUnavailable = "journal-unavailable"
  /// Another program holds a lock.
  case busy
  case otherDestination = "other-destination"
  case notDue = "not-due"
  case expired
  /// A person has to confirm the plan of an agent.
  case needsPerson = "needs-person"
  /// The profile applies signed plans only, and this one has no valid signature.
  case needsSignature = "needs-signature"
  /// The signer of a plan is its maker.
  case needsSecondPerson = "needs-second-person"

  // Exit status 5 to 8, and interruptions.
  case outcomeUnknown = "outcome-unknown"
  case assertionFailed = "assertion-failed"
  case partialFailure = "partial-failure"
  case drift
  case interrupted
}
