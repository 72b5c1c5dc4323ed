import ShellTesting
import TestSupport
import Testing

/// Every command that takes a time in the past takes each of its forms.
@Suite(.timeLimit(Trial.limit)) struct PastDateTests {
  private static let lines = [
    "log since WHEN", "log where time>=WHEN", "calls since WHEN", "undo since WHEN", "changes since WHEN",
    "ls from WHEN",
    "show 132 price over WHEN", "dry restore 132 price from WHEN", "diff WHEN", "ls where created>=WHEN",
  ]
  private static let forms = [
    "yesterday", "monday", "어제", "월요일", "last-week", "지난주", "11-01", "2022-11-01", "2h", "3d", "10:00",
    "2022-11-30T10:00", "11-30T10:00", "mondayT10:00", "-7d", "now-2h", "today-2d",
  ]

  @Test(arguments: lines) func everyFormIsRead(_ line: String) async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("ls all")
      for form in PastDateTests.forms {
        let said = await sandbox.run(line.replacing("WHEN", with: form))
        #expect(!said.hasSuffix("= 2\n") && !said.contains("No saved version matches"), "\(line) \(form): \(said)")
      }
    }
  }

  @Test(arguments: [
    "log since last week", "calls since 지난 주", "undo since last week", "changes since last week", "ls from last week",
    "ls where created>=last week", "show 132 price over last week", "dry restore 132 price from last week",
  ])
  func weekOfTwoWordsIsRead(_ line: String) async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("ls all")
      let said = await sandbox.run(line)
      #expect(!said.hasSuffix("= 2\n") && !said.contains("No saved version matches"), "\(said)")
    }
  }

  @Test(arguments: [
    "undo since tomorrow", "changes since next week", "ls from tomorrow", "show 132 price over next week",
    "dry restore 132 price from tomorrow", "log since tomorrow", "log since next week", "calls since tomorrow",
  ])
  func timeToComeIsRefused(_ line: String) async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("ls all")
      let said = await sandbox.run(line)
      #expect(said.contains("has not come yet") && said.hasSuffix("= 2\n"), "\(said)")
    }
  }

  @Test(arguments: [
    "tomorrow", "monday", "next week", "next-week", "내일", "다음 주", "12-05", "2022-12-05", "12-05T09:00", "09:00",
    "tomorrowT09:00",
  ])
  func saleTakesTheSameForms(_ first: String) async throws {
    try await Sandbox.with { sandbox in
      let said = await sandbox.run("dry sale 132 10% from \(first) to 2022-12-24")
      #expect(said.contains("Dry run") && !said.hasSuffix("= 2\n"), "\(said)")
    }
  }
}
